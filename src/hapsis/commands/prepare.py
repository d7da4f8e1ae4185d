"""`hapsis prepare`: compiles what runs of any model need, once for this machine.

Integrators, loops and elementary functions are machine code that no model changes. Whatever is
compiled here is in the cache on disk afterwards. Without this command each is compiled when it is
first used.
"""

import importlib
import multiprocessing
import os
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed

from hapsis.commands.progress import Progress
from hapsis.compiler.backends import cache
from hapsis.errors import Error

PACKAGES = ("hapsis.motion", "hapsis.touch")
FUNCTIONS = "elementary functions"
FIRST = ("advance", "run", "tick")  # names of those that take longest begin so


def run(quiet: bool) -> None:
    """Compiles all of it on all cores and shows how far it is; does nothing where all is in the cache."""
    folder = cache.folder()
    if folder is None:
        raise Error("there is no cache folder, so nothing can be kept", remedy="set HAPSIS_CACHE to one")
    start, jobs = time.perf_counter(), list(helpers())
    context = multiprocessing.get_context("spawn")
    with (
        Progress("preparing native helpers", len(jobs), quiet) as progress,
        ProcessPoolExecutor(min(len(jobs), os.cpu_count() or 1), context) as pool,
    ):
        for job in as_completed([pool.submit(prepare, name) for name in jobs]):
            progress.advance(job.result())
    if not quiet:
        print(f"{len(jobs)} native helpers are ready in {folder} ({time.perf_counter() - start:.1f} s)")


def helpers() -> Iterator[str]:
    """What there is to compile, `module:name` each, the longest first."""
    from hapsis.compiler.native.entries import entries
    from hapsis.motion.solvers.integrators.methods import METHODS

    natives = [method.advance for method in METHODS.values()]
    natives += [native for package in PACKAGES for native in entries(package)]
    names = {f"{native.__module__}:{native.__name__}": native.__name__ for native in natives}
    yield from sorted(names, key=lambda key: not names[key].startswith(FIRST))
    yield FUNCTIONS


def prepare(name: str) -> str:
    """Compiles one of them, or finds it in the cache; its name comes back."""
    if name == FUNCTIONS:
        _elementary_functions()
    else:
        module, _, function = name.partition(":")
        getattr(importlib.import_module(module), function).machine()
    return name


def _elementary_functions() -> None:
    """A Function with every elementary function, compiled for one state and for batches."""
    import numpy as np

    import hapsis as hs

    x, y = hs.symbol("x"), hs.symbol("y")
    of_one = (hs.sin, hs.cos, hs.tan, hs.asin, hs.acos, hs.atan, hs.exp, hs.log, hs.tanh)
    values = [f(x) for f in of_one] + [hs.atan2(x, y), hs.power(x, y)]
    for contract in (True, False):
        f = hs.compile(hs.Function("all", {"x": x, "y": y}, {"values": values}), contract=contract)
        f(0.5, 0.5)
        f(np.full(9, 0.5), np.full(9, 0.5))
