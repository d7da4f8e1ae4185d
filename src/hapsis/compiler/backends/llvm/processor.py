"""The processor of this machine as LLVM knows it, asked once and kept in the cache.

LLVM is a library of a hundred megabytes: a process whose code is in the cache does not load it. What it
says of a processor is kept under what the system says of that processor, and under the file of LLVM.
"""

import importlib.util
import json
import os
import sys
from functools import cache
from pathlib import Path
from typing import NamedTuple

from hapsis.compiler.backends import cache as disk

SYSTEM_FILE = "/proc/cpuinfo"
# what is the same for all cores and at all times
SAME = ("vendor_id", "cpu family", "model", "model name", "stepping", "microcode", "flags", "Features")
SAME += ("CPU implementer", "CPU architecture", "CPU variant", "CPU part", "CPU revision")


class Processor(NamedTuple):
    """What code depends on besides its text."""

    triple: str  # of the system, like x86_64-unknown-linux-gnu
    name: str
    features: str  # like +avx,-avx512f
    llvm: str  # the version of LLVM and of its wrapper

    def has(self, *features: str) -> bool:
        """Whether it has all these features."""
        return {f"+{feature}" for feature in features} <= set(self.features.split(","))

    @property
    def is_arm(self) -> bool:
        """Whether it is an ARM processor of 64 bits."""
        return self.triple.startswith(("aarch64", "arm64"))


@cache
def processor() -> Processor:
    """The processor of this machine."""
    seen = _seen()
    if seen is None:
        return _asked()
    name = disk.key(b"processor", repr(seen).encode())
    parts = disk.load(name)
    if parts is not None:
        try:
            return Processor(*map(str, json.loads(parts[0])))
        except (ValueError, TypeError, IndexError):
            pass  # of another form: asked again
    asked = _asked()
    disk.store(name, [json.dumps(asked).encode()])
    return asked


def _seen() -> tuple[object, ...] | None:
    """What tells this processor and this LLVM from others; None where the system does not say it."""
    package = importlib.util.find_spec("llvmlite")
    try:
        with open(SYSTEM_FILE) as file:
            # lines of the first core
            lines = file.read(16384).split("\n\n")[0].splitlines()
        folder = Path(str(package and package.origin)).parent / "binding"
        libraries = [
            (entry.name, status.st_size, status.st_mtime_ns, status.st_ino)
            for entry in os.scandir(folder)
            if entry.name.endswith((".so", ".dylib", ".dll"))
            for status in [entry.stat()]
        ]
    except OSError:
        return None
    facts = [line for line in lines if line.split(":")[0].strip() in SAME]
    return (sys.platform, facts, str(folder), sorted(libraries)) if facts and libraries else None


def _asked() -> Processor:
    import llvmlite
    from llvmlite import binding as llvm

    features: str = llvm.get_host_cpu_features().flatten()  # type: ignore[attr-defined]
    version = repr((llvmlite.__version__, llvm.llvm_version_info))
    return Processor(llvm.get_default_triple(), llvm.get_host_cpu_name(), features, version)


def versions() -> bytes:
    """What object code depends on besides its text: LLVM, its wrapper, the CPU."""
    return repr(tuple(processor())).encode()


@cache
def vector_bytes() -> int:
    """The width of a vector register: 64 with AVX-512, 32 with AVX, else 16."""
    if processor().has("avx512f", "avx512vl", "avx512dq"):
        return 64
    return 32 if processor().has("avx") else 16


@cache
def register_count() -> int:
    """The number of vector registers that the code may use: all but a few."""
    return 24 if vector_bytes() == 64 or processor().is_arm else 11


@cache
def has_fma() -> bool:
    """Whether the CPU fuses a product into a sum in one instruction."""
    return processor().has("fma") or processor().is_arm
