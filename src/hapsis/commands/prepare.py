"""`hapsis prepare`: compiles what runs of any model need, once for this machine.

Integrators, loops and elementary functions are machine code that no model changes. Whatever is
compiled here is in the cache on disk afterwards. Without this command each is compiled when it is
first used.
"""

import importlib
import multiprocessing
import os
import signal
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from hapsis.commands.json_report import Report
from hapsis.commands.progress import Progress
from hapsis.commands.report_layout import count
from hapsis.compiler.backends import cache
from hapsis.errors import Error

PACKAGES = ("hapsis.motion", "hapsis.touch")
FUNCTIONS = "elementary functions"
FUNCTIONS_SIZE = 9_000  # what compiling them takes, in bytes of bytecode of other helpers


def run(quiet: bool, report: Report | None = None) -> None:
    """Compiles what is not in the cache on all cores, and shows how far it is."""
    problem = cache.contents().problem
    if problem:
        raise Error(f"nothing can be kept: {problem}")
    folder = cache.folder()
    start, sizes = time.perf_counter(), helpers()
    missing = [name for name in sizes if not is_ready(name)]
    if missing:
        _compile({name: sizes[name] for name in missing}, quiet)
    if report is not None:
        seconds = time.perf_counter() - start
        report |= {"folder": str(folder), "helpers": list(sizes), "compiled": missing, "seconds": seconds}
    if quiet or report is not None:
        return
    ready = f"{count(sizes, 'native helper')} are ready in {folder}"
    compiled = f"{len(missing)} of them compiled in {time.perf_counter() - start:.1f} s"
    print(f"{ready}: {compiled if missing else 'all of them were there already'}")


def _compile(sizes: dict[str, int], quiet: bool) -> None:
    """Compiles these helpers, each in one of several processes."""
    processes = min(len(sizes), os.cpu_count() or 1)
    pool = ProcessPoolExecutor(processes, multiprocessing.get_context("spawn"), _end_at_once)
    with Progress("preparing helpers", len(sizes), quiet, sum(sizes.values())) as progress:
        progress.begin(f"compiling on {processes} cores")
        try:
            jobs = {pool.submit(prepare, name): name for name in sizes}
            for job in as_completed(jobs):
                job.result()
                progress.advance(sizes[jobs[job]])
                progress.begin(f"{title(jobs[job])} is ready")
        except BrokenProcessPool:
            raise Error("a process that compiled was ended", remedy="run hapsis prepare again") from None
        finally:
            pool.shutdown(cancel_futures=True)


def _end_at_once() -> None:
    """In the other processes, which Ctrl-C reaches too: they end without a word."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def helpers() -> dict[str, int]:
    """What there is to compile, `module:name` each, and its size; the longest first."""
    from hapsis.compiler.native.entries import bytecode_size, entries
    from hapsis.motion.solvers.integrators.methods import METHODS

    natives = [method.advance for method in METHODS.values()]
    natives += [native for package in PACKAGES for native in entries(package)]
    sizes = {f"{one.__module__}:{one.__name__}": bytecode_size(one.definition) for one in natives}
    sizes[FUNCTIONS] = FUNCTIONS_SIZE
    return dict(sorted(sizes.items(), key=lambda item: -item[1]))


def title(name: str) -> str:
    """The name of a helper in a few words: `run of native_loop`."""
    module, colon, function = name.rpartition(":")
    return f"{function} of {module.rpartition('.')[2]}" if colon else name


def is_ready(name: str) -> bool:
    """Whether the code of a helper is in the cache."""
    from hapsis.compiler.native.build import is_stored

    if name != FUNCTIONS:
        return is_stored(_native(name).definition)
    return all(_is_compiled(contract) for contract in (True, False))


def prepare(name: str) -> None:
    """Compiles one of them."""
    if name != FUNCTIONS:
        _native(name).machine()
        return
    import numpy as np

    import hapsis as hs

    for contract in (True, False):
        f = hs.compile(_elementary_functions(), contract=contract, wait=True)
        f(0.5, 0.5)
        f(np.full(9, 0.5), np.full(9, 0.5))


def _native(name: str) -> Any:
    module, _, function = name.partition(":")
    return getattr(importlib.import_module(module), function)


def _elementary_functions() -> Any:
    """A Function with every elementary function, in a graph of its own: the same in every process."""
    import hapsis as hs
    from hapsis.compiler.ir.graph.graph import Graph

    graph = Graph()
    x, y = hs.symbol("x", graph=graph), hs.symbol("y", graph=graph)
    of_one = (hs.sin, hs.cos, hs.tan, hs.asin, hs.acos, hs.atan, hs.exp, hs.log, hs.tanh)
    values = [f(x) for f in of_one] + [hs.atan2(x, y), hs.power(x, y)]
    return hs.Function("all", {"x": x, "y": y}, {"values": values})


def _is_compiled(contract: bool) -> bool:
    """Whether the code with all elementary functions is in the cache, for one state and for batches."""
    from hapsis.compiler.backends.llvm.code import Part
    from hapsis.compiler.backends.llvm.llvm import LlvmKernel

    kernel = LlvmKernel(Part(_elementary_functions()), "f64", contract, float("inf"), 1)
    try:
        return all(kernel.code(width, stored=True) for width in (1, kernel.wide))
    except LookupError:
        return False
