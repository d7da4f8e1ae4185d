"""Which cases the attack tools run, by their arguments."""

import pytest
from attacks.seeds import asked

SIZES = {"random": 5, "slow": 2}


def test_all_some_or_one_again():
    assert asked([], SIZES) == ({"random": range(5), "slow": range(2)}, False)
    assert asked(["slow", "3", "9"], SIZES) == ({"slow": range(3, 9)}, False)
    assert asked(["--replay", "slow:7"], SIZES) == ({"slow": range(7, 8)}, True)


@pytest.mark.parametrize(
    "arguments", [["slow"], ["--replay"], ["--replay", "slow"], ["--replay", "fast:1"], ["slow", "a", "9"]]
)
def test_what_is_not_understood_is_one_line(arguments):
    with pytest.raises(SystemExit) as ended:
        asked(arguments, SIZES)
    assert isinstance(ended.value.code, str) and "\n" not in ended.value.code
