"""Random campaigns at their full size: the tests that take only a sample in `./run test`.

python tools/campaign.py                  # all of them, on all cores
python tools/campaign.py -k mutations     # arguments go to pytest
"""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def campaigns() -> list[str]:
    """The test files that take samples."""
    files = sorted((ROOT / "tests").rglob("test_*.py"))
    return [str(path) for path in files if "from samples import" in path.read_text(encoding="utf-8")]


if __name__ == "__main__":
    command = [sys.executable, "-m", "pytest", "-n", "auto", *campaigns(), *sys.argv[1:]]
    raise SystemExit(subprocess.call(command, cwd=ROOT, env={**os.environ, "HAPSIS_CAMPAIGN": "1"}))
