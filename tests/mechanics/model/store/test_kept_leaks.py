"""No value gets into equations that is not in the key under which they are kept on disk."""

import functools
import itertools

import kept_leaks
import numpy as np
import pytest

import hapsis as hs
from hapsis.compiler.backends import code_version
from hapsis.compiler.backends.llvm import background
from hapsis.mechanics.model.store import kept
from hapsis.mechanics.model.store.model_key import model_key

gain = 1.0  # read by a law


def two_wheels(*facts):
    wheels = [hs.Body(name, 1.0, (0.1, 0, 0), (0.1, 0.1, 0.1)) for name in "ab"]
    hinges = [hs.Revolute(f"j{k}", hs.WORLD.at(0, k, 0), name, "y") for k, name in enumerate("ab")]
    return hs.Model(*wheels, *hinges, *facts)


def turned(x):
    return hs.atan2(hs.sin(x), hs.cos(x))


TURNS = hs.law(lambda s, a=1.0, b=1.0: a * turned(s["j0"]) + b * turned(s["j1"]))
CURVED = hs.law(lambda s, b=1.0: s["j0.v"] + b * s["j1.v"] ** 2)
CASES = {
    "the number of a law in a row": lambda b: hs.Constraint(
        "row", hs.law(lambda s, b=1.0: s["j0"] + b * s["j1"]).using(b=b)
    ),
    "the number of a law in a drive": lambda b: hs.Drive(
        "d", "j0", hs.law(lambda t, b=1.0: b * t).using(b=b)
    ),
    "the common measure of two angles": lambda b: hs.Constraint("row", TURNS.using(b=b)),
    "whether a row is linear": lambda b: hs.Constraint(
        "row", speeds=CURVED.using(b=1e-14 if b == 1.0 else b)
    ),
    "the unit of a row": lambda b: hs.Gear("row", "j0", "j1", 1.0 if b == 1.0 else 1e5),
}


def numbers(model):
    q, known = np.array([2.5, 3.0]), {"v": np.ones(2), "tau": np.ones(2), "t": 0.3}
    values = []
    for verb in (hs.constraints, hs.forward_dynamics):
        try:
            f = hs.compile(verb(model))
            ports = [port.name for port in f.function.inputs]
            result = f(q=q, **{n: x for n, x in known.items() if n in ports})
        except hs.Error as error:
            values.append(str(error))
        else:
            values += [np.asarray(x).tobytes() for x in (result if isinstance(result, tuple) else (result,))]
    return values


@pytest.fixture
def empty(tmp_path, monkeypatch):
    monkeypatch.setenv("HAPSIS_CACHE", str(tmp_path))


@pytest.mark.filterwarnings("ignore::hapsis.Notice")
@pytest.mark.parametrize("fact", CASES.values(), ids=CASES)
def test_another_value_gives_the_numbers_of_a_new_start(empty, monkeypatch, fact):
    numbers(two_wheels(fact(1.0)))
    edited = numbers(two_wheels(fact(0.5)))
    monkeypatch.setenv("HAPSIS_CACHE", "")
    assert edited == numbers(two_wheels(fact(0.5)))


def test_a_function_that_reads_what_has_changed_is_not_kept_under_the_key_of_before(empty):
    global gain

    def model():
        return two_wheels(hs.JointForce("f", "j0", lambda q, v: -gain * q))

    gain, changed = 1.0, model()
    right = numbers(model())[-1]
    model_key(changed)
    gain = 2.0
    hs.compile(hs.mass_matrix(changed))
    other = hs.compile(hs.inverse_dynamics(changed))(*np.ones((3, 2)))
    gain = 1.0
    assert numbers(model())[-1] == right
    assert not np.array_equal(hs.compile(hs.inverse_dynamics(model()))(*np.ones((3, 2))), other)


IN_FORMULAS = {
    "an end": lambda: [hs.Spring("s", hs.WORLD.at(0, 0, 1), hs.End("a.tip", hs.Frame(("d", 0, 0))), 10.0)],
    "a shape": lambda: [
        hs.Contact("c", ("a.tip", hs.Sphere(1.0, at=("d", 0, 0))), hs.WORLD.plane(), hs.Linear(9.0))
    ],
    "a joint": lambda: [
        hs.Body("b", 1.0, (0.1, 0, 0)),
        hs.Weld("w", ("a.tip", hs.Frame((0.0, "d", 0))), "b"),
    ],
}


@pytest.mark.parametrize("facts", IN_FORMULAS.values(), ids=IN_FORMULAS)
def test_the_place_of_a_frame_in_which_a_formula_places_another(empty, monkeypatch, facts):
    def effort(x):
        arm = hs.Body("a", 1.0, (0.1, 0, 0), (0.1, 0.1, 0.1), {"tip": hs.Frame((x, 0, 0))})
        model = hs.Model(arm, hs.Revolute("j", hs.WORLD, "a", "y"), *facts(), parameters={"d": 0.1})
        return float(hs.compile(hs.inverse_dynamics(model))([0.3], [0.0], [0.0])[0])

    kept_on_disk = [effort(0.5), effort(0.7)]
    monkeypatch.setenv("HAPSIS_CACHE", "")
    assert kept_on_disk == [effort(0.5), effort(0.7)]
    assert kept_on_disk[0] != kept_on_disk[1]


def test_a_height_that_was_called_before_is_kept_as_what_it_was(empty, monkeypatch):
    gains = Gains()

    def effort(ground):
        contact = hs.Contact("c", ("a", hs.Sphere(0.1, at=(0.3, 0, 0))), (hs.WORLD, ground), hs.Linear(9.0))
        return float(hs.compile(hs.inverse_dynamics(two_wheels(contact)))(*np.ones((3, 2)))[0])

    def ground():
        return hs.Heightfield(lambda x, y: gains.gain * x + 0.5)

    before = ground()
    first = effort(before)
    gains.gain = 2.0
    assert effort(before) == first  # by another model with the same shape
    changed = effort(ground())
    monkeypatch.setenv("HAPSIS_CACHE", "")
    assert changed == effort(ground()) != first


class Gains:
    """An object whose attribute is read by its method."""

    def __init__(self):
        self.gain = 1.0

    def law(self, q, v, c=0.1):
        return -self.gain * q - c * v


current = None  # read by the function below


def named_as_ours(gains):
    """A function without a closure that says that it is one of ours, as `functools.wraps` would write."""
    global current
    current = gains

    def law(q, v):
        return -current.gain * q

    law.__module__, law.__qualname__ = "hapsis.mechanics.model.forces.spring", "law"
    return law


def laws_of(gains):
    """Functions that read an attribute in several ways."""
    read = gains.__class__.law
    return {
        "method": gains.law,
        "lambda": lambda q, v: -gains.gain * q,
        "partial": functools.partial(read, gains),
        "named as ours": named_as_ours(gains),
        "law": hs.law(gains.law),
    }


@pytest.mark.filterwarnings("ignore::hapsis.Notice")
@pytest.mark.parametrize("way", laws_of(Gains()))
def test_a_cache_changes_nothing_where_functions_read_what_changes(tmp_path, monkeypatch, way):
    def efforts():
        gains, values = Gains(), []
        try:
            model = two_wheels(hs.JointForce("f", "j0", laws_of(gains)[way]))
            for k in (1.0, 2.0, 1.0, 3.0):
                gains.gain = k
                values.append(hs.compile(hs.inverse_dynamics(model))(*np.ones((3, 2))).tolist())
                other = two_wheels(hs.JointForce("f", "j0", laws_of(gains)[way]))
                values.append(hs.compile(hs.inverse_dynamics(other))(*np.ones((3, 2))).tolist())
        except hs.Error as error:
            values.append(str(error))
        return values

    monkeypatch.setenv("HAPSIS_CACHE", "")
    right = efforts()
    monkeypatch.setenv("HAPSIS_CACHE", str(tmp_path))
    assert efforts() == right and efforts() == right


def test_a_function_that_computes_something_else_is_told(empty):
    gains = Gains()
    model = two_wheels(hs.JointForce("spring", "j0", gains.law))
    hs.simulate(model, 0.01)
    gains.gain = 2.0
    with pytest.warns(hs.Notice, match='joint force "spring": its function computes something else'):
        hs.simulate(model, 0.01)


def test_contacts_with_one_law_are_told_from_those_with_equal_laws():
    def law():
        return lambda gap, rate, k=100.0: hs.maximum(-k * gap - rate, 0.0)

    def model(laws):
        contacts = [
            hs.Contact(f"c{k}", ("a", hs.Sphere(0.1)), hs.WORLD.plane(), own) for k, own in enumerate(laws)
        ]
        return two_wheels(*contacts)

    one, equal = model([law()] * 4), model([law() for _ in range(4)])
    assert model_key(one).structure != model_key(equal).structure
    assert model_key(one).structure == model_key(model([law()] * 4)).structure


def test_nothing_is_kept_by_code_whose_files_have_changed(empty, monkeypatch):
    background.settled()  # of other tests
    names = []
    monkeypatch.setattr(kept.disk, "store", lambda name, parts: names.append(name))
    monkeypatch.setattr(code_version, "_loaded", code_version._loaded[1:])
    monkeypatch.setattr(code_version, "_looked", [None, False])
    kept.kept_data(two_wheels(), "something", lambda: 1.0)
    assert names == []
    monkeypatch.undo()
    monkeypatch.setattr(kept.disk, "store", lambda name, parts: names.append(name))
    monkeypatch.setattr(code_version, "_looked", [None, False])
    kept.kept_data(two_wheels(), "something else", lambda: 1.0)
    assert len(names) == 1


def test_random_changes_of_all_facts_leave_what_is_kept_by_the_structure_as_it_is(monkeypatch):
    seeds = itertools.islice(itertools.count(), 32)
    *differences, counts = kept_leaks.differences(seeds)
    assert not differences, "\n".join(differences)
    assert "models" in counts
