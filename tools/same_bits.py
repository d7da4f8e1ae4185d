"""Compares the results of many programs between two trees, bit by bit.

    python tools/same_bits.py write FILE.json         runs the programs with the hapsis that is imported
    python tools/same_bits.py compare A.json B.json   lists what differs or is missing; exit 1 if any
    python tools/same_bits.py against COMMIT          this tree against another commit
    python tools/same_bits.py list                    the names of the programs

`--only PATTERNS` (as in "guard.*,loops.*") takes some of the programs. They are in tools/bits: all models
of the library, every verb, every integrator, the guard, and loops that run unpaced with simulated
devices. A refactoring that changes no number leaves every hash as it is.
"""

import argparse
import fnmatch
import json
import os
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SUBJECTS = (
    "formulas",
    "equations",
    "library",
    "files",
    "closing",
    "statics",
    "integrators",
    "forces",
    "contacts",
    "drives",
    "derivatives",
    "guard",
    "loops",
    "filters",
    "sensing",
    "recordings",
)


def listed(pattern: str) -> list[str]:
    """The names of the programs that a pattern takes."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy: sums in one order
    from importlib import import_module

    for subject in SUBJECTS:
        import_module(f"bits.{subject}")
    from bits import PROGRAMS

    return [name for name in PROGRAMS if any(fnmatch.fnmatch(name, part) for part in pattern.split(","))]


def write(path: Path, pattern: str) -> int:
    """Runs programs and writes a hash for each of their outputs."""
    names = listed(pattern)
    from bits import hashes

    import hapsis as hs

    warnings.simplefilter("ignore", hs.Notice)
    table: dict[str, Any] = {}
    failed = 0
    for name in names:
        start = time.perf_counter()
        try:
            table[name] = hashes(name)
        except Exception as error:
            failed += 1
            table[name] = {"error": type(error).__name__}
            print(f"{name}: {type(error).__name__}: {error}", file=sys.stderr)
        print(f"{time.perf_counter() - start:7.2f} s  {name}, {len(table[name])} outputs", flush=True)
    path.write_text(json.dumps(table, indent=1, sort_keys=True) + "\n")
    print(f"{len(names)} programs, {sum(map(len, table.values()))} outputs, {failed} failed")
    return int(failed > 0 or not names)


def compare(first: Path, second: Path) -> int:
    """Prints which outputs of two files differ or are missing."""
    a, b = (
        {
            f"{name}: {output}": value
            for name, outputs in json.loads(path.read_text()).items()
            for output, value in outputs.items()
        }
        for path in (first, second)
    )
    lines = [f"only in {first}: {key}" for key in a if key not in b]
    lines += [f"only in {second}: {key}" for key in b if key not in a]
    lines += [f"differs: {key}" for key in a if key in b and a[key] != b[key]]
    lines += [f"failed: {key}" for key in a if key.endswith(": error")]
    print("\n".join([*lines, f"{len(a)} outputs compared, {len(lines)} not the same"]))
    return int(bool(lines) or not a)


def against(commit: str, pattern: str) -> int:
    """Runs all programs with this tree and with that of a commit, and compares."""
    with tempfile.TemporaryDirectory() as folder:
        before = Path(folder) / "tree"
        git = ["git", "-C", str(ROOT), "worktree"]
        subprocess.run([*git, "add", "--detach", str(before), commit], check=True)
        try:
            files = [Path(folder) / f"{name}.json" for name in ("before", "after")]
            for tree, file in zip((before, ROOT), files, strict=True):
                print(f"{'this tree' if tree == ROOT else commit}:", flush=True)
                subprocess.run(
                    [sys.executable, __file__, "write", str(file), "--only", pattern],
                    env={**os.environ, "PYTHONPATH": str(tree / "src")},
                )
            return compare(*files) if all(file.exists() for file in files) else 1
        finally:
            subprocess.run([*git, "remove", "--force", str(before)], check=True)


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description="Compare results of two trees, bit by bit.")
    verbs = parser.add_subparsers(dest="verb", required=True)
    for verb, arguments in (
        ("write", ["file"]),
        ("compare", ["first", "second"]),
        ("against", ["commit"]),
        ("list", []),
    ):
        command = verbs.add_parser(verb)
        for argument in arguments:
            command.add_argument(argument)
        if verb != "compare":
            command.add_argument("--only", default="*", metavar="PATTERNS")
    options = parser.parse_args()
    if options.verb == "write":
        return write(Path(options.file), options.only)
    if options.verb == "compare":
        return compare(Path(options.first), Path(options.second))
    if options.verb == "against":
        return against(options.commit, options.only)
    print("\n".join(listed(options.only)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
