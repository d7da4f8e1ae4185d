"""Facts about the machine that matter for a real-time loop, and how to improve them.

Everything is read from files of the system; nothing is changed.
"""

import platform
from pathlib import Path
from typing import NamedTuple

LATENCY = "dev/cpu_dma_latency"
GOVERNORS = "sys/devices/system/cpu"


class Fact(NamedTuple):
    """One fact about the machine; `remedy` is empty if it is good for a loop."""

    name: str
    value: str
    remedy: str = ""

    @property
    def line(self) -> str:
        """The fact and its remedy in one line."""
        return f"{self.name}: {self.value}" + (f"; {self.remedy}" if self.remedy else "")


def facts(root: Path = Path("/")) -> tuple[Fact, ...]:
    """All facts that are known; those that a system does not have are left out."""
    known = (_kernel(root), _governor(root), _throttling(root), _latency(root), _virtual(root))
    return tuple(fact for fact in known if fact is not None)


def _text(path: Path) -> str:
    """The text of a file; empty if it cannot be read."""
    try:
        return path.read_text(errors="replace").strip()
    except OSError:
        return ""


def _kernel(root: Path) -> Fact:
    """Whether the code of the kernel can be interrupted."""
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
    """Whether the processor slows down when it has little to do, as in a loop."""
    paths = (root / GOVERNORS).glob("cpu[0-9]*/cpufreq/scaling_governor")
    names = sorted({_text(path) for path in paths} - {""})
    if not names:
        return None
    slow = any(name != "performance" for name in names)
    remedy = "cpupower frequency-set -g performance" if slow else ""
    return Fact("governor", ", ".join(names), remedy)


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
    """Whether a process may keep the processor from deep sleep."""
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
    """Whether the machine is virtual, so that its host may take the processor away."""
    lines = _text(root / "proc/cpuinfo").splitlines()
    flags = next((line for line in lines if line.startswith("flags")), "")
    if "hypervisor" not in flags.split():
        return None
    return Fact("virtual machine", "the host may take the processor away at any time", "use the bare machine")
