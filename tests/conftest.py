"""Settings for all tests; also, tests in any folder can `import strategies` from this one."""

import shutil
import warnings
from pathlib import Path

import pytest
from hypothesis import settings

MODELS = Path(__file__).resolve().parents[1] / "examples" / "models"

# machines may be slow and shared: nothing here is timed (tools/mutate.py has a profile of its own)
if settings.default is not None and settings.default.deadline is not None:
    settings.register_profile("unhurried", deadline=None)
    settings.load_profile("unhurried")


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
