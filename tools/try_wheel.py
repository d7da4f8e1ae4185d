"""Builds the wheel and runs `hapsis demo` from it, in an empty environment of each Python that is found.

    python tools/try_wheel.py              # 3.11 to 3.14, whichever are found
    python tools/try_wheel.py 3.13         # these only

Packages come from where pip gets them. Each environment, home folder and working folder is new and is
removed afterwards. Returns 0 if every Python that was found runs the demonstration.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VERSIONS = ("3.11", "3.12", "3.13", "3.14")
PATIENCE = 600  # seconds for one command


def pythons(versions: Sequence[str] = VERSIONS) -> dict[str, str]:
    """{version: path} of the interpreters that run: on PATH, or among those of pyenv and uv."""
    known: dict[str, str] = {}
    for version in versions:
        folders = [Path.home() / ".pyenv/versions", Path.home() / ".local/share/uv/python"]
        inside = [p for folder in folders for p in sorted(folder.glob(f"*{version}*/bin/python{version}"))]
        for path in (shutil.which(f"python{version}"), *inside):
            if path and _answers(str(path), version):
                known[version] = str(path)
                break
    return known


def _answers(path: str, version: str) -> bool:
    """Whether this interpreter starts and is of that version; a shim may be there without one."""
    code = "import sys; print('%d.%d' % sys.version_info[:2])"
    try:
        done = subprocess.run([path, "-c", code], capture_output=True, text=True, timeout=60)
    except OSError:
        return False
    return done.returncode == 0 and done.stdout.strip() == version


def build(python: str, folder: Path) -> Path:
    """The wheel, built from a copy of what it is made of."""
    copy = folder / "source"
    copy.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md"):
        shutil.copy(ROOT / name, copy)
    shutil.copytree(ROOT / "src", copy / "src", ignore=shutil.ignore_patterns("__pycache__"))
    _run([python, "-m", "venv", folder / "builder"], folder)
    pip = [folder / "builder/bin/python", "-m", "pip", "--disable-pip-version-check", "--quiet"]
    _run([*pip, "wheel", "--no-deps", "--wheel-dir", folder, copy], folder)
    (wheel,) = folder.glob("hapsis-*.whl")
    return wheel


def demonstrate(python: str, wheel: Path, folder: Path) -> str:
    """Installs the wheel into an empty environment and returns what `hapsis demo --check` prints."""
    home, here, environment = (folder / name for name in ("home", "here", "environment"))
    home.mkdir(parents=True)
    here.mkdir()
    _run([python, "-m", "venv", environment], here)
    pip = [environment / "bin/python", "-m", "pip", "--disable-pip-version-check", "--quiet"]
    _run([*pip, "install", "--only-binary", ":all:", wheel], here)
    return _run([environment / "bin/hapsis", "demo", "--check"], here, home=home)


def _run(command: Sequence[object], folder: Path, home: Path | None = None) -> str:
    """What a command prints; RuntimeError with its last lines if it fails."""
    variables = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")}
    if home:
        variables = {k: v for k, v in variables.items() if not k.startswith(("XDG_", "HAPSIS_"))}
        variables["HOME"] = str(home)
    words = [str(word) for word in command]
    done = subprocess.run(words, cwd=folder, env=variables, capture_output=True, text=True, timeout=PATIENCE)
    if done.returncode:
        raise RuntimeError(f"{' '.join(words[-4:])}: {(done.stderr or done.stdout)[-600:]}")
    return done.stdout


def main(versions: Sequence[str]) -> int:
    """Prints a line for each version; 0 if all that were found work, and there is one."""
    available = pythons(versions or VERSIONS)
    failures = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wheel = build(next(iter(available.values())), folder) if available else None
        for version in versions or VERSIONS:
            if wheel is None or version not in available:
                print(f"{version}: not found")
                continue
            try:
                lines = demonstrate(available[version], wheel, folder / version).splitlines()
                print(f"{version}: {wheel.name} runs, {len(lines)} lines of the demonstration")
            except RuntimeError as problem:
                failures += 1
                print(f"{version}: FAILED: {problem}")
    return int(failures > 0 or not available)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
