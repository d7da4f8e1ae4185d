"""The page of a model: kept by files, pickles and changes of the model, without effect on its equations."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

import hapsis as hs
from hapsis.mechanics.model.store.model_key import new_model_key

NAMES = st.from_regex(r"[a-z][a-z_]{0,8}", fullmatch=True)
WORDS = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp")), min_size=1).filter(
    lambda text: text.strip() == text
)
NUMBERS = st.floats(-1e6, 1e6)
RANGES = st.one_of(
    st.just(()),
    st.tuples(NUMBERS, NUMBERS),
    st.tuples(NUMBERS, NUMBERS, WORDS),
    st.tuples(NUMBERS, NUMBERS, WORDS, WORDS),
)
TABLES = st.none() | st.dictionaries(NAMES, RANGES, max_size=3)
SOUNDS = st.builds(
    hs.Sound, st.sampled_from(["A4", "C#5", "Bb2"]) | st.floats(16.0, 8000.0), damped_by=st.none() | NAMES
)
FINGERS = st.builds(
    hs.Press,
    st.sampled_from(["arm", "arm.tip", ("arm", (0.1, 0.0, 0.2))]),
    along=st.sampled_from(["x", "-y", (0.0, 1.0, 1.0)]),
    force=st.floats(0.1, 5.0),
    depth=st.none() | st.floats(1e-3, 1.0),
    speed=st.floats(1e-3, 1.0),
    most=st.none() | st.floats(5.0, 100.0),
    instead_of=st.none() | NAMES,
)
PAGES = st.builds(
    hs.Page,
    title=st.none() | WORDS,
    rate=st.none() | st.floats(1.0, 20_000.0),
    method=st.sampled_from([None, "euler", "rk4"]),
    substeps=st.none() | st.integers(1, 100),
    parameters=TABLES,
    inputs=TABLES,
    outputs=st.none() | st.lists(NAMES, max_size=3),
    press=st.none() | FINGERS,
    sounds=st.none() | st.dictionaries(NAMES, SOUNDS, max_size=3),
    follow=st.sampled_from([None, True, False]),
)


def pendulum(page=None):
    arm = hs.Body("arm", 1.0, (0.5, 0, 0), (0, 0.1, 0.1), frames={"tip": (1, 0, 0)})
    return hs.Model(arm, hs.Revolute("hinge", hs.WORLD, "arm", axis="y"), page=page)


@given(PAGES)
def test_files_and_pickles_give_the_page_back(tmp_path_factory, page):
    model, path = pendulum(page), tmp_path_factory.mktemp("page") / "model.yaml"
    hs.save(model, path)
    assert hs.load(path).page == page and hs.load(path) == model
    assert pickle.loads(pickle.dumps(model)) == model


@given(PAGES)
def test_a_page_changes_no_equation(page):
    own, plain = new_model_key(pendulum(page)), new_model_key(pendulum())
    assert own is not None and plain is not None
    assert (own.structure, own.values) == (plain.structure, plain.values)


@given(PAGES)
def test_changes_of_a_model_keep_its_page(page):
    model = pendulum(page)
    assert model.replace(gravity=(0, 0, -1.6)).page == page
    assert model.replace("hinge", axis="x").page == page
    assert (model + hs.Sensor("tip", "pose", "arm.tip")).page == page
    assert model.with_stops().page == page
    assert hs.Model(model, page=hs.Page(title="other")).page == hs.Page(title="other")
    assert model.replace(page=None).page is None


@given(PAGES, PAGES)
def test_parts_bring_their_pages_and_the_first_one_leads(first, second):
    both = hs.Model(pendulum(first).prefixed("a"), pendulum(second).prefixed("b")).page
    a, b = first.prefixed("a"), second.prefixed("b")
    for name in ("title", "rate", "method", "substeps", "press", "follow"):
        assert getattr(both, name) == (getattr(b, name) if getattr(a, name) is None else getattr(a, name))
    for name in ("parameters", "inputs", "sounds"):
        assert dict(getattr(both, name) or {}) == {**(getattr(a, name) or {}), **(getattr(b, name) or {})}


def test_a_prefix_stands_before_every_name_and_what_goes_is_gone():
    action = hs.library.grand_action()
    page = action.prefixed("left").page
    assert page.press.instead_of == "left.key" and str(page.press.at) == "left.key.finger"
    assert page.sounds["left.string"].damped_by == "left.damper_string"
    assert page.parameters["left.button_height"] == action.page.parameters["button_height"]
    left = hs.share(action.prefixed("left")).content
    own = hs.share(action).content
    assert left["start"] == own["start"] and left["press"] == own["press"]
    less = action.without("damper_string").page
    assert less.sounds["string"].damped_by is None and less.press == action.page.press
    assert dict(action.without("string").page.sounds) == {}


def test_other_formats_say_that_they_leave_the_page_out(tmp_path):
    with pytest.warns(hs.Notice, match="left out: .*1 page"):
        hs.save(pendulum(hs.Page(title="Pendulum")), tmp_path / "pendulum.urdf")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"title": 3}, "page: title must be a text, not a int"),
        ({"rate": "fast"}, "page: rate"),
        ({"substeps": 0}, "page: substeps must be a whole number above 0"),
        ({"parameters": "r"}, "page: parameters must be names or"),
        ({"parameters": {"r": (1, 2, 3)}}, "page: parameters: r: unit and words must be texts"),
        ({"inputs": {"r": (1,)}}, "page: inputs: r is a tuple; expected"),
        ({"outputs": "energy"}, "page: outputs must be names of signals"),
        ({"press": "key"}, "page: press must be an hs.Press"),
        ({"sounds": {"string": "A4"}}, "page: sounds must be"),
    ],
)
def test_what_is_no_page_is_refused_in_one_line(options, message):
    with pytest.raises(hs.ModelError, match=message) as refused:
        hs.Page(**options)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("page: {titel: x}", r'page: unknown key "titel" \(did you mean "title"\?\)'),
        ("page: {substeps: 1.5}", "page: substeps is .*whole number"),
        ("page: {parameters: {r: [1]}}", r"page: parameters: r is .*\[low, high\]"),
        ("page: {press: {along: x}}", 'page: press needs "at"'),
        ("page: {press: {at: arm, force: -1}}", "press: force is -1 N"),
        ("page: {sounds: {string: H4}}", '"H4" is no note'),
    ],
)
def test_mistakes_in_files_have_their_place(tmp_path, text, message):
    (tmp_path / "m.yaml").write_text(f"hapsis: 1\n{text}\n")
    with pytest.raises(hs.ModelError, match=message) as refused:
        hs.load(tmp_path / "m.yaml")
    assert "m.yaml:2:" in str(refused.value)


@pytest.mark.parametrize(
    ("text", "adds"),
    [("m", True), ("-m", True), ("2 * k + m", True), ("k - (1 - m)", True), ("2 * m", False),
     ("m * k + 1", False), ("m^2", False), ("sin(m)", False), ("k", False), ("k + m / 2", False)],
)  # fmt: skip
def test_a_term_of_a_sum_has_the_unit_of_the_sum(text, adds):
    assert hs.Formula(text).adds("m") is adds
