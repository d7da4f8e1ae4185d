"""`assemblies` says where it may not have found all of them."""

import warnings

import pytest
from shared_models import four_bar

import hapsis as hs
from hapsis.motion.analysis.assembly import branches


def test_a_small_mechanism_is_complete():
    with warnings.catch_warnings():
        warnings.simplefilter("error", hs.Notice)
        assert len(hs.assemblies(four_bar(), {"A": 0.3})) == 2


def test_what_was_found_once_is_told(monkeypatch):
    """Few starts: the second assembly is found from one of them, if at all."""
    monkeypatch.setattr(branches, "STARTS", 1)
    told = 0
    for most in range(1, 8):
        default = branches.counted_branches.__defaults__
        monkeypatch.setattr(branches.counted_branches, "__defaults__", (most,))
        with warnings.catch_warnings(record=True) as notices:
            warnings.simplefilter("always")
            many = hs.assemblies(four_bar(), {"A": 0.3})
        monkeypatch.setattr(branches.counted_branches, "__defaults__", default)
        told += len(many) == 2 and any("one start only" in str(n.message) for n in notices)
    assert told >= 1


@pytest.mark.slow
def test_a_platform_has_more_than_are_found():
    with pytest.warns(hs.Notice, match="there may be more"):
        hs.assemblies(hs.library.stewart())
