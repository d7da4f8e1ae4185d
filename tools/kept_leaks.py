"""Looks for values that get into equations but not into the key under which these are kept on disk.

    python tools/kept_leaks.py --count 2000 --start 0

Models with every kind of fact are changed at random, one or two fields at a time, also to special
values (zero, -0.0, one, tiny, huge, equal to a neighbour, None). Whatever is kept for two models of the
same structure must be the same: the digests, ports and names of parameters of all Functions, all data, and
refusals. The values of the parameters must be those in the table of the model's key. Nothing is read from
the disk; every Function is written anew.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path += [str(Path(__file__).resolve().parent.parent / "tests")]

from leaks import loops, mechanisms, touching
from leaks.changes import variant
from leaks.record import Recorder, reported

from hapsis.mechanics.model.store.model_key import model_key

BASES = (*mechanisms.BASES, *loops.BASES, *touching.BASES)


def differences(seeds: Iterator[int] | range, bases: tuple[Any, ...] = BASES) -> Iterator[str]:
    """What differs between models of the same structure; at last the counts."""
    with Recorder() as recorder:
        yield from _differences(recorder, seeds, bases)


def _differences(recorder: Recorder, seeds: Any, bases: tuple[Any, ...]) -> Iterator[str]:
    first, count, without = dict[bytes, Any](), 0, 0
    for seed in seeds:
        text, model = variant(seed, bases)
        if model is None:
            continue
        key = model_key(model)
        if key is None:
            without += 1
            continue
        count += 1
        report = reported(recorder, model)
        before, reference, other = first.setdefault(key.structure, (text, report, seed))
        for name in sorted({*reference, *report}) if reference is not report else ():
            about = name.removeprefix("refusal of ").removeprefix("notices of ")
            if about == name and not (name in reference and name in report):
                continue  # asked for one of them only, as with another partition
            if about != name and not (about in reference or about in report):
                continue  # kept for none of them
            if reference.get(name, "nothing") != report.get(name, "nothing"):
                both = f"{str(reference.get(name))[:300]}\n  {str(report.get(name))[:300]}"
                yield f"seeds {other}, {seed}: {name}\n  {before}\n  {text}\n  {both}"
    yield f"{count} models of {len(first)} structures, {without} without a key"


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--only")
    given = parser.parse_args()
    bases = tuple(b for b in BASES if given.only is None or b.__name__ in given.only.split(","))
    lines = 0
    for line in differences(range(given.start, given.start + given.count), bases):
        print(line, flush=True)
        lines += 1
    return int(lines > 1)


if __name__ == "__main__":
    sys.exit(main())
