"""Attempts counted: what was accepted, refused, wrong or slow; the first offenders are saved.

An attack is a name, a maker of cases and a reader. Case number K of an attack is drawn from the text
SEED:ATTACK:K alone, so that one case can be tried again by that text.
"""

import contextlib
import random
import re
import signal
import threading
import time
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from hapsis.errors import Error

LONGEST = 2.0  # s of processor time, of one attempt
HANGS = 60.0  # s, or as long as the attack may take: then it is interrupted
SAVED = 5  # offenders of each kind
KINDS = ("impossible", "tracebacks", "slow", "broken")
HEADS = ("tried", "accepted", "refused", "accepted though impossible", "tracebacks", "over 2 s")
HEADS += ("slew or limit broken",)


class Impossible(Exception):
    """Something was accepted that cannot be, or came out wrong."""


class Broken(Exception):
    """A command was above its limit, or changed faster than it may."""


class Hangs(BaseException):
    """An attempt was interrupted."""


class Case(NamedTuple):
    """The bytes that are tried, the ending of their name, and files beside them."""

    data: bytes
    ending: str
    beside: Mapping[str, bytes] = MappingProxyType({})


class Attack(NamedTuple):
    """A name; a case for a random draw; what reads it, in how many seconds; what judges what was read."""

    name: str
    case: Callable[[random.Random], Case]
    read: Callable[[Case, Path], Any]
    judge: Callable[[Any, Case, random.Random, Path], None]
    longest: float = LONGEST


@dataclass
class Row:
    """The counts of one attack; offenders are (kind, seed, text)."""

    name: str
    tried: int = 0
    accepted: int = 0
    refused: int = 0
    impossible: int = 0
    tracebacks: int = 0
    slow: int = 0
    broken: int = 0
    slowest: float = 0.0
    offenders: list[tuple[str, str, str]] = field(default_factory=list[tuple[str, str, str]])

    @property
    def bad(self) -> int:
        """How many attempts went wrong."""
        return sum(getattr(self, kind) for kind in KINDS)

    def offend(self, kind: str, seed: str, text: str) -> bool:
        """Counts an offender; whether it is among the first of its kind."""
        setattr(self, kind, getattr(self, kind) + 1)
        first = sum(kind == other for other, _, _ in self.offenders) < SAVED
        if first:
            self.offenders.append((kind, seed, text))
        return first


@contextlib.contextmanager
def interrupted(seconds: float) -> Iterator[None]:
    """Raises Hangs inside what takes longer; in the main thread of a POSIX system only."""
    if not hasattr(signal, "SIGALRM") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(number: int, frame: Any) -> None:
        raise Hangs(f"interrupted after {seconds:g} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)


def attempt(attack: Attack, seed: str, row: Row, place: Path, saved: Path | None = None) -> None:
    """Tries one case and counts what happens."""
    draw = random.Random(seed)
    with interrupted(HANGS):
        case = attack.case(draw)
    row.tried += 1
    kind = text = ""
    start = time.process_time()
    seconds = 0.0
    try:
        with interrupted(max(HANGS, attack.longest)), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            warnings.simplefilter("error", RuntimeWarning)  # numpy's: an overflow that nobody expected
            read = attack.read(case, place)
            seconds = time.process_time() - start
            attack.judge(read, case, draw, place)
        row.accepted += 1
    except Error as error:
        seconds = seconds or time.process_time() - start
        row.refused += 1
        if "\n" in str(error) or not str(error).isprintable():
            kind, text = "tracebacks", f"not one printable line: {str(error)!r}"
    except Impossible as problem:
        row.accepted += 1
        kind, text = "impossible", str(problem)
    except Broken as problem:
        row.accepted += 1
        kind, text = "broken", str(problem)
    except Hangs:
        seconds, kind, text = time.process_time() - start, "slow", traceback.format_exc()
    except (Exception, SystemExit):
        kind, text = "tracebacks", traceback.format_exc()
    row.slowest = max(row.slowest, seconds)
    if seconds > attack.longest and not kind:
        kind, text = "slow", f"{seconds:.1f} s of processor time"
    if kind and row.offend(kind, seed, text) and saved is not None:
        save_case(saved, attack, seed, case, text)


def save_case(folder: Path, attack: Attack, seed: str, case: Case, text: str) -> None:
    """Writes the bytes of an offender, the files beside it, and what happened."""
    target = folder / seed.replace(":", "-")
    target.mkdir(parents=True, exist_ok=True)
    (target / f"{attack.name}.{case.ending}").write_bytes(case.data)
    for name, data in case.beside.items():
        (target / name).write_bytes(data)
    again = f"python tools/attack.py --replay {seed}"
    (target / "what.txt").write_text(f"{again}\n\n{text}\n", encoding="utf-8")


def campaign(
    attacks: Iterable[Attack], seconds: float, seed: int, place: Path, saved: Path | None = None
) -> list[Row]:
    """The rows of attacks, each tried for its share of the seconds and once at least.

    The case under way is noted in the folder of offenders: it is there when the process dies.
    """
    turns = [(attack, Row(attack.name)) for attack in attacks]
    for attack, row in turns:
        end = time.monotonic() + seconds / len(turns)
        while row.tried == 0 or time.monotonic() < end:
            case = f"{seed}:{attack.name}:{row.tried}"
            if saved is not None:
                saved.mkdir(parents=True, exist_ok=True)
                (saved / "last").write_text(case, encoding="utf-8")
            attempt(attack, case, row, place, saved)
    return [row for _, row in turns]


def printed(part: str, rows: Iterable[Row]) -> str:
    """The table of a part."""
    lines = [f"{part:18}" + "".join(f"  {head}" for head in HEADS)]
    for row in rows:
        counts = (row.tried, row.accepted, row.refused, *(getattr(row, kind) for kind in KINDS))
        cells = (f"  {count:>{len(head)}}" for head, count in zip(HEADS, counts, strict=True))
        lines.append(f"{row.name:18}" + "".join(cells) + f"   slowest {row.slowest:.2f} s")
        for kind, seed, text in row.offenders:
            again = f"--replay {seed}" if re.fullmatch(r"\d+:[\w-]+:\d+", seed) else seed
            lines.append(f"    {kind}: {again}: {text.strip().splitlines()[-1][:200]}")
    return "\n".join(lines)
