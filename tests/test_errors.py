import copy
import pickle
import warnings

import pytest

import hapsis as hs
from hapsis import errors
from hapsis.errors import Error, Notice, near, notice

FAMILY = [errors.ModelError, errors.CompileError, errors.SolveError, errors.DeviceError]


def test_the_four_parts_make_one_line():
    error = Error("mass is -1", where="arm.yaml:3:9", expected="a mass ≥ 0", remedy="change the sign")
    assert str(error) == "arm.yaml:3:9: mass is -1; expected a mass ≥ 0; change the sign"
    assert (error.what, error.where) == ("mass is -1", "arm.yaml:3:9")
    assert (error.expected, error.remedy) == ("a mass ≥ 0", "change the sign")


def test_absent_parts_leave_no_trace():
    assert str(Error("no")) == "no"
    assert str(Error("no", where="", expected="", remedy="yes")) == "no; yes"


@pytest.mark.parametrize("kind", FAMILY)
def test_one_family(kind):
    assert issubclass(kind, Error)
    with pytest.raises(Error, match=r"^here: what$"):
        raise kind("what", where="here")


@pytest.mark.parametrize("mark", ["\n", "\r\n   ", "\x1b[2J", "\u2028", "\udc80", "\x00", "\u202e"])
def test_the_line_is_one_line_and_printable(mark):
    bad = f"a{mark}b"
    line = str(Error(bad, where=bad, expected=bad, remedy=bad))
    assert len(line.splitlines()) == 1
    assert line.isprintable()
    line.encode()


def test_line_breaks_read_as_spaces():
    assert str(Error("two\n    lines")) == "two lines"


def test_an_error_survives_another_process():
    error = pickle.loads(pickle.dumps(errors.ModelError("what", where="here", remedy="this")))
    assert str(error) == "here: what; this"
    assert error.remedy == "this"


def test_near_names():
    assert near("uper", ["base", "upper", "lower"]) == ' (did you mean "upper"?)'
    assert near("UPPER", ["upper"]) == ' (did you mean "upper"?)'
    assert near("wheel", ["base", "upper"]) == ""
    assert near("x", []) == ""
    assert near("x" * 1_000_000, ["x" * 999_999, "x"]) == ""


def test_a_notice_points_at_the_caller():
    def verb():
        notice("the step\nwas halved")

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        verb()
    assert caught[0].category is Notice
    assert str(caught[0].message) == "the step was halved"
    assert caught[0].filename == __file__


def test_old_public_names_work_for_one_version_with_a_notice():
    with pytest.warns(Notice, match="hs.link is now hs.recording"):
        assert hs.link is hs.recording


def every_error(kind=Error):
    yield kind
    for child in kind.__subclasses__():
        yield from every_error(child)


def test_every_error_can_be_pickled_with_its_parts():
    import hapsis.cli  # noqa: F401  every module that has errors of its own

    for name in hs.__all__:
        getattr(hs, name)
    kinds = {kind for kind in every_error() if kind.__module__.startswith("hapsis.")}
    assert {"InvalidModel", "NoEquilibrium", "OutOfReach"} <= {kind.__name__ for kind in kinds}
    for kind in kinds:
        error = kind.__new__(kind)  # classes with another __init__ included
        Error.__init__(error, "what", where="w.yaml:1:2", expected="e", remedy="r")
        error.more = (1, "two")
        for other in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
            assert type(other) is kind and str(other) == str(error) and other.args == error.args
            assert vars(other) == vars(error)


def test_errors_of_models_and_searches_keep_what_they_know():
    with pytest.raises(hs.ModelError) as caught:
        hs.Model(hs.Body("a", mass=-1.0), hs.Body("b", mass=-2.0), hs.Free("a", hs.WORLD, "a"))
    error = pickle.loads(pickle.dumps(caught.value))
    assert error.problems == caught.value.problems and len(error.problems) > 1
    arm = hs.Model(hs.Rod("arm", 1.0, 1.0), hs.Revolute("hinge", hs.WORLD, "arm"))
    with pytest.raises(hs.SolveError) as caught:
        hs.reach(arm, "arm", (9.0, 9.0, 9.0))
    assert pickle.loads(pickle.dumps(caught.value)).nearest == caught.value.nearest
