"""Settings for all tests; each can import the helpers of the folders above it, and tools/."""

import gc
import shutil
import sys
import warnings
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parents[1]
MODELS = ROOT / "examples" / "models"
TESTS = ROOT / "tests"
sys.path[:0] = [
    str(folder) for folder in (ROOT / "tools", TESTS, *(TESTS / n for n in ("mechanics", "motion", "touch")))
]

QUICK_EXAMPLES = 10  # of a law by Hypothesis

# machines may be slow and shared: nothing here is timed (tools/mutate.py has a profile of its own)
if settings.default is not None and settings.default.deadline is not None:
    settings.register_profile("unhurried", deadline=None)
    settings.load_profile("unhurried")


def pytest_addoption(parser):
    parser.addoption("--quick", action="store_true", help="small samples, without slow tests")


def pytest_collection_modifyitems(config, items):
    """With --quick: no slow tests, one case of each, few examples of each law."""
    if not config.getoption("--quick"):
        return
    cases = {}
    for item in items:
        cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    kept = []
    for group in cases.values():
        kept += [item for item in group if not item.get_closest_marker("slow")][:1]
    for item in kept:
        law = getattr(item, "obj", None)
        if getattr(law, "is_hypothesis_test", False):
            given = law._hypothesis_internal_use_settings
            few = settings(given, max_examples=min(given.max_examples, QUICK_EXAMPLES))
            getattr(law, "__func__", law)._hypothesis_internal_use_settings = few
    config.hook.pytest_deselected(items=[item for item in items if item not in set(kept)])
    items[:] = kept


@pytest.fixture(scope="module")
def little_to_collect():
    """Collections of memory look only at what a file makes, not at all that those before it left."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.fixture(scope="module")
def window():
    """A real browser, which opens pages; without one the test is skipped."""
    import browser

    program = browser.found()
    if program is None:
        pytest.skip("no chromium to open the pages with")
    made = browser.Browser(program)
    yield made
    made.close()


@pytest.fixture
def command_among_models(capfd, monkeypatch, tmp_path):
    """Run the command line in this process, in a folder with the example models."""
    from hapsis import cli

    for file in MODELS.iterdir():
        shutil.copy(file, tmp_path)
    monkeypatch.chdir(tmp_path)

    def call(*arguments):
        kept = warnings.showwarning
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("always")
                status = cli.main([str(x) for x in arguments])
        finally:
            warnings.showwarning = kept
        return status, *capfd.readouterr()

    return call
