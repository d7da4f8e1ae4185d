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
