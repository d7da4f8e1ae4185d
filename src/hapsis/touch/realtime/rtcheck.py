"""The verb behind `hapsis rtcheck`: which rates this machine holds.

Our loop with nothing to do and a loop in C (if there is a gcc) run in turns of a second each. A
haptic loop would miss the periods that ours misses; if the loop in C misses them too, the machine is
the cause.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import hapsis.view as view
from hapsis.errors import DeviceError, notice
from hapsis.mechanics.model.values.numbers import real
from hapsis.touch.realtime.baseline_loops import Block, InC, Ours, joined
from hapsis.touch.realtime.host import Fact, facts
from hapsis.touch.realtime.priority import Granted

RATES = (1000.0, 10_000.0)
TURN = 1.0  # s
NAMES = ("p50", "p99", "p99.9", "p99.99", "max")
FEW = 0.005  # part of the periods that soft real time may miss
HELD, SOFT, LOST = "held", "soft", "not held"


@dataclass(frozen=True, eq=False)
class Check:
    """One rate: the blocks of each loop, by its name ("ours", "c")."""

    rate: float
    blocks: dict[str, list[Block]]
    hard: bool

    @property
    def ratio(self) -> float | None:
        """Median of the 99th percentiles of our blocks over that of the loop in C."""
        if "c" not in self.blocks:
            return None
        ours, c = (
            float(np.median([block.percentiles[1] for block in self.blocks[name]])) for name in ("ours", "c")
        )
        return ours / c if c > 0.0 else None

    @property
    def state(self) -> str:
        """ "held": no period is missed, with priority; "soft": a few are; else "not held"."""
        ours = joined(self.blocks["ours"])
        if ours.skips == 0 and ours.misses == 0:
            return HELD if self.hard else SOFT
        return SOFT if ours.skips <= FEW * (len(ours.late) + ours.skips) else LOST

    @property
    def verdict(self) -> str:
        """The state as a sentence."""
        ours = joined(self.blocks["ours"])
        periods = len(ours.late) + ours.skips
        lost = f"{ours.skips} of {periods} periods missed, 99.9 % of the ticks within "
        lost += f"{1e6 * ours.percentiles[2]:.3g} microseconds"
        words = {HELD: "is held", SOFT: "is held softly, for simulated devices", LOST: "is not held"}
        return f"{self.rate:g} per second {words[self.state]}: {lost}"

    def numbers(self) -> dict[str, Any]:
        """All of it, for JSON."""
        loops = {}
        for name, blocks in self.blocks.items():
            whole = joined(blocks)
            loops[name] = {
                "ticks": len(whole.late),
                "lateness_s": dict(zip(NAMES, whole.percentiles, strict=True)),
                "misses": whole.misses,
                "skips": whole.skips,
                "longest": whole.longest,
                "block_p99_s": [block.percentiles[1] for block in blocks],
                "histogram": dict(zip(("microseconds", "ticks"), _binned(whole), strict=True)),
            }
        return {
            "rate": self.rate,
            "state": self.state,
            "verdict": self.verdict,
            "p99_ours_over_c": self.ratio,
            "loops": loops,
        }


@dataclass(frozen=True, eq=False)
class Checked:
    """The result of `rtcheck`: `facts` of the machine, what it granted, a Check for each rate."""

    facts: tuple[Fact, ...]
    granted: Granted
    checks: tuple[Check, ...]
    seconds: float

    @property
    def lines(self) -> list[str]:
        """What could be improved, one line each."""
        return [*self.granted.missing, *(fact.line for fact in self.facts if fact.remedy)]

    @property
    def good(self) -> bool:
        """Whether every rate is held, softly at least."""
        return all(check.state != LOST for check in self.checks)

    def numbers(self) -> dict[str, Any]:
        """All of it, for JSON."""
        return {
            "seconds": self.seconds,
            "machine": {fact.name: fact.value for fact in self.facts},
            "missing": list(self.lines),
            "granted": {name: not line for name, line in self.granted._asdict().items()},
            "rates": [check.numbers() for check in self.checks],
            "good": self.good,
        }

    def histogram(self) -> "view.Plot":
        """A plot of how many ticks woke how late, with a curve for each loop and rate."""
        x, curves = {}, {}
        for check in self.checks:
            for name, blocks in check.blocks.items():
                label = f"{'ours' if name == 'ours' else 'C'}, {check.rate:g} per second"
                late, ticks = _binned(joined(blocks))
                # with the empty bins between: a curve over the full ones alone would bridge them
                full = np.zeros(max(late, default=0) + 2)
                full[late] = ticks
                x[label], curves[label] = np.arange(len(full)) + 0.5, np.maximum(full, 0.5)
        return view.curves(
            x,
            curves,
            xlabel="lateness, microseconds",
            ylabel="ticks",
            logarithmic="xy",
            title="How late a loop wakes",
        )


def rtcheck(
    rates: Sequence[float] = RATES,
    seconds: float = 5.0,
    *,
    core: int | None = None,
    progress: Callable[[str], Any] = lambda text: None,
) -> Checked:
    """What this machine holds at each rate.

    seconds    of each loop at each rate
    core       the processor core to run on
    progress   called with a line before each turn
    """
    seconds = real(seconds, "seconds")
    rates = tuple(real(rate, "rate") for rate in rates)
    if not all(1.0 <= rate <= 1e5 for rate in rates) or not rates:
        raise DeviceError("rates are from 1 to 100000 per second")
    if not 0.01 <= seconds <= 86400.0:
        raise DeviceError(f"seconds is {seconds:g}", expected="from 0.01 to 86400")
    if seconds * min(rates) < 1.0:
        raise DeviceError(f"{seconds:g} s at {min(rates):g} per second is not one period")
    ours = Ours(core)
    loops: list[Any] = [ours, *_loop_in_c(core)]
    try:
        checks = []
        for rate in rates:
            blocks = _blocks(loops, rate, seconds, progress)
            granted = ours.granted
            assert granted is not None
            checks.append(Check(rate, blocks, granted.hard))
    finally:
        for loop in loops:
            loop.close()
    return Checked(facts(), granted, tuple(checks), seconds)


def _loop_in_c(core: int | None) -> list[Any]:
    """The loop in C, if it can be built."""
    try:
        return [InC(core)]
    except DeviceError as problem:
        notice(str(problem))
        return []


def _blocks(
    loops: Sequence[Any], rate: float, seconds: float, progress: Callable[[str], Any]
) -> dict[str, list[Block]]:
    """Blocks of each loop, measured in turns; every other round begins with the other loop."""
    blocks: dict[str, list[Block]] = {loop.name: [] for loop in loops}
    rounds = max(1, round(seconds / TURN))
    for turn in range(rounds):
        progress(f"{rate:g} per second, {turn + 1} of {rounds}")
        for loop in loops if turn % 2 == 0 else reversed(loops):
            blocks[loop.name].append(loop.block(rate, seconds / rounds))
    return blocks


def _binned(block: Block) -> tuple[list[int], list[int]]:
    """Microseconds, and how many ticks woke that late; bins without ticks are left out."""
    late, ticks = np.unique(np.maximum(block.late, 0) // 1000, return_counts=True)
    return late.tolist(), ticks.tolist()
