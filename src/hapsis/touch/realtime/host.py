"""What a machine is to a loop: its kernel, its processor's habits, and what would make it better.

Everything is read from files of the system; nothing is changed.
"""

import platform
from pathlib import Path
from typing import NamedTuple

LATENCY = "dev/cpu_dma_latency"
GOVERNORS = "sys/devices/system/cpu"


class Fact(NamedTuple):
    """One thing about the machine; `remedy` is empty where it is as a loop likes it."""

    name: str
    value: str
    remedy: str = ""

    @property
    def line(self) -> str:
        """All of it in one line."""
        return f"{self.name}: {self.value}" + (f"; {self.remedy}" if self.remedy else "")


def facts(root: Path = Path("/")) -> tuple[Fact, ...]:
    """All that is known; what a system does not have is left out."""
    found = (_kernel(root), _governor(root), _throttling(root), _latency(root), _virtual(root))
    return tuple(fact for fact in found if fact is not None)


def _text(path: Path) -> str:
    try:
        return path.read_text(errors="replace").strip()
    except OSError:
        return ""


def _kernel(root: Path) -> Fact:
    """Whether its own code can be interrupted."""
    if _text(root / "sys/kernel/realtime") == "1":
        return Fact("kernel", "PREEMPT_RT")
    system = platform.system()
    if system != "Linux":
        return Fact("kernel", system, "real time needs Linux")
    version = _text(root / "proc/sys/kernel/version")
    words = [word for word in version.split() if word.startswith("PREEMPT")]
    return Fact(
        "kernel",
        f"{words[0] if words else 'no preemption'}, not PREEMPT_RT",
        "install a real-time kernel (linux-image-rt, linux-lowlatency)",
    )


def _governor(root: Path) -> Fact | None:
    """Whether the processor slows down where it has little to do, as a loop has."""
    names = (root / GOVERNORS).glob("cpu[0-9]*/cpufreq/scaling_governor")
    found = sorted({_text(path) for path in names} - {""})
    if not found:
        return None
    slow = any(name != "performance" for name in found)
    remedy = "cpupower frequency-set -g performance" if slow else ""
    return Fact("governor", ", ".join(found), remedy)


def _throttling(root: Path) -> Fact | None:
    """How long a thread with real-time priority may run without sleeping."""
    runtime = _text(root / "proc/sys/kernel/sched_rt_runtime_us")
    period = _text(root / "proc/sys/kernel/sched_rt_period_us") or "1000000"
    try:
        most, whole = int(runtime), int(period)
    except ValueError:
        return None
    if most < 0 or most >= whole:
        return Fact("throttling", "none")
    value = f"threads with priority get {most / 1000:g} of {whole / 1000:g} ms"
    # a loop that sleeps between its ticks never gets there, unless its steps nearly fill the period
    if most < 0.9 * whole:
        return Fact("throttling", value, "sysctl kernel.sched_rt_runtime_us=950000")
    return Fact("throttling", value)


def _latency(root: Path) -> Fact | None:
    """Whether a process may forbid deep sleep to the processor."""
    path = root / LATENCY
    if not path.exists():
        return None
    try:
        with path.open("rb"):  # to look at it changes nothing; a number written would
            return Fact("deep sleep", "can be forbidden by /dev/cpu_dma_latency")
    except OSError:
        return Fact(
            "deep sleep",
            "/dev/cpu_dma_latency is closed to us",
            "let your group read and write it by a udev rule, or run as root",
        )


def _virtual(root: Path) -> Fact | None:
    """Whether somebody below may take the processor away."""
    lines = _text(root / "proc/cpuinfo").splitlines()
    flags = next((line for line in lines if line.startswith("flags")), "")
    if "hypervisor" not in flags.split():
        return None
    return Fact("virtual machine", "the host may take the processor away at any time", "use the bare machine")
