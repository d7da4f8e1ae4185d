"""Machine code of one Function for one kind of lanes, in two speeds.

Quick code first, so that the first call runs at once. Good code is compiled meanwhile in the background,
from the same text, and takes its place between two calls: whoever calls by address `follow`s, and one
word is written in its table. Both compute the same bits with the same workspace, and the old code stays
loaded, so a call under way is not disturbed.

On disk there is one entry for a Function and its lanes. Until the good code is there, it has the quick
code and the text, so that another process can go on without writing that text again. A process that ends
before that puts good code in the place of the modules that it has compiled.
"""

import json
import threading
import weakref
import zlib
from collections.abc import Callable
from functools import cache, cached_property, partial
from typing import Any, NamedTuple

from hapsis.compiler.backends import object_cache as disk
from hapsis.compiler.backends.llvm import background
from hapsis.compiler.backends.llvm.lanes import WAYS, Lanes
from hapsis.compiler.backends.llvm.object_code import linked
from hapsis.compiler.backends.llvm.processor import versions
from hapsis.compiler.backends.llvm.small_functions import elementary_address, small_function
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.gc_pause import uncollected
from hapsis.compiler.passes.parts import hoisted
from hapsis.errors import CompileError

# price up to which good code is compiled at once: it takes some milliseconds
SMALL = 200
# price above which quick code comes first even for who waits for good code, because of the budget
LONG = 300_000
GOOD_SECONDS = 40e-6  # per unit of the price, on one core


class Part:
    """What is compiled of a Function: its kernel, or the preparation of its parameters (see `passes.hoist`).

    It is written when it is first needed: code from the disk needs the Function's digest only.
    """

    def __init__(self, whole: Function, preparation: bool = False) -> None:
        self.whole, self.preparation = whole, preparation
        # what is kept of a Function without its graph are the digests of its parts
        self._by_part = whole.kept_as is not None or not whole.written

    @cached_property
    def function(self) -> Function:
        """The Function of this part."""
        with uncollected():
            before, kernel = hoisted(self.whole)
        return (before or self.whole) if self.preparation else kernel

    def hoisted(self, facts: "Facts | None" = None) -> bool:
        """Whether there is a preparation; from the facts of its code, if they belong to it alone."""
        if facts is not None and not self._by_part:
            return facts.hoisted
        return hoisted(self.whole)[0] is not None

    @property
    def shapes(self) -> list[tuple[int, ...]]:
        """The shapes of the inputs, without the parameters."""
        return [] if self.preparation else [port.shape for port in self.whole.inputs]

    def key(self, lanes: Lanes) -> str:
        """The name of its code on disk; parameter values and names are not in the code, so not in it."""
        part = b"part" if self._by_part else b"preparation" if self.preparation else b"kernel"
        digest = (self.function if self._by_part else self.whole).digest
        return disk.key(part, digest, repr(lanes).encode(), versions())


class Facts(NamedTuple):
    """What is stored with the code."""

    entry: str
    workspace: int  # numbers
    functions: list[tuple[str, int, str]]  # the elementary functions that it calls
    price: float
    parameters: int  # numbers that it reads after its inputs
    results: int  # numbers that it writes
    hoisted: bool  # whether a preparation computes the parameters
    quick: bool  # quick code, followed by the text for the good
    improved: int = 0  # the modules at the start whose code is good already


class Code:
    """Loaded machine code: `address` and `workspace_bytes`; `good` once it is the good one.

    wait      compile good code at once
    stored    only load what is on disk: LookupError if nothing is
    """

    def __init__(
        self, part: Part, lanes: Lanes, budget: float, wait: bool = False, stored: bool = False
    ) -> None:
        self.lanes, self.budget, self.name = lanes, budget, part.key(lanes)
        self.keep: list[Any] = []
        self._followers: list[tuple[weakref.ref[Any], int]] = []
        self._lock = threading.Lock()
        self._job: Improvement | None = None
        texts: Callable[[], list[str]] | None = None
        parts = disk.load(self.name)
        if parts is None:
            if stored:
                raise LookupError("not on disk")
            parts, written = self._compiled(part, wait)
            texts = written.copy
        self.facts = _read(parts[0])
        self.workspace_bytes = self.facts.workspace * lanes.bytes
        self.good = not self.facts.quick
        loaded = texts is None
        if not self.good and texts is None:
            packed = parts.pop()
            texts = partial(_unpacked, packed)
        self._imports = self._imported()
        self.address = self._linked(parts[1:])
        if texts is not None and not self.good and self._affordable(wait):
            self._job = Improvement(self, texts, parts[1:], loaded)
            background.submit(self._job)
            if wait:
                self.wait()

    def _compiled(self, part: Part, wait: bool) -> tuple[list[bytes], list[str]]:
        """The parts of the entry on disk without the text, and the text."""
        from hapsis.compiler.backends.llvm.llvm_jit import Compilation
        from hapsis.compiler.backends.llvm.llvm_module import Program
        from hapsis.compiler.passes.pipeline import prepared

        function = part.function
        quick = quickly(function.price, wait)
        with uncollected(), Compilation(self.budget, quick) as compilation:
            program = Program(prepared(function), self.lanes, compilation.add)
            functions = sorted(program.library.functions)
            facts = Facts(
                program.entry,
                program.workspace,
                functions,
                function.price,
                len(function.parameters),
                function.n_out,
                part.hoisted(),
                quick,
            )
            objects = compilation.objects()
        parts = [_facts(facts), *objects]
        if not quick:
            disk.store(self.name, parts)
        return parts, program.modules

    def _affordable(self, wait: bool) -> bool:
        return wait or (background.allowed() and self.facts.price * GOOD_SECONDS < self.budget)

    def _imported(self) -> dict[str, int]:
        """The addresses of the functions that the code calls."""
        imports: dict[str, int] = {}
        for request in self.facts.functions:
            library, address = elementary_address(*request, self.lanes.contract)
            self.keep.append(library)
            imports[f"hs_{request[0]}_{request[1]}{request[2]}"] = address
        for way in WAYS if self.lanes.transposed else ():
            library, address = _rows(self.lanes, way)
            self.keep.append(library)
            imports[self.lanes.rows_symbol(way)] = address
        return imports

    def _linked(self, objects: list[bytes]) -> int:
        library, (address,) = linked(objects, [self.facts.entry], self._imports)
        self.keep.append(library)
        return address

    def follow(self, words: Any, place: int) -> None:
        """Writes the address to `words[place]`, now and when it changes, as long as `words` lives."""
        with self._lock:
            words[place] = self.address
            if not self.good:
                self._followers.append((weakref.ref(words), place))

    def improve(self, objects: list[bytes]) -> None:
        """From the next call on this code is run."""
        address = self._linked(objects)
        with self._lock:
            self.address, self.good = address, True
            followers, self._followers = self._followers, []
            for reference, place in followers:
                words = reference()
                if words is not None:
                    words[place] = address

    def wait(self) -> None:
        """Returns when the code is as good as it gets."""
        if self._job is not None:
            background.finish(self._job)


def quickly(price: float, wait: bool) -> bool:
    """Whether quick code comes first: the one place that decides this."""
    if wait or not background.allowed():
        return price > LONG
    return price > SMALL


class Improvement:
    """The job of compiling good code for one that has quick code, one module in a step."""

    def __init__(
        self, code: Code, texts: Callable[[], list[str]], objects: list[bytes], loaded: bool
    ) -> None:
        self.code, self._texts, self.quick = code, texts, objects
        self.objects = objects[: code.facts.improved]
        self.kept = len(self.objects) if loaded else -1  # good modules on disk; -1: there is no entry

    @cached_property
    def texts(self) -> list[str]:
        """The text of each module, read when it is needed: a process that ends soon does not need it."""
        return self._texts()

    def keep(self) -> None:
        """Stores the code with the text, as good as it is."""
        done = len(self.objects)
        if self.kept < done < len(self.quick):
            entry = disk.load(self.code.name)
            if entry is not None and not _read(entry[0]).quick:
                return  # another process was faster
            text = zlib.compress("\0".join(self.texts).encode(), 1)
            facts = _facts(self.code.facts._replace(improved=done))
            disk.store(self.code.name, [facts, *self.objects, *self.quick[done:], text])
            self.kept = done

    def step(self) -> bool:
        """Compiles one more module; after the last the code is loaded and stored."""
        from hapsis.compiler.backends.llvm.llvm_jit import module_object

        try:
            self.objects.append(module_object(self.texts[len(self.objects)], background=True))
        except (CompileError, MemoryError):
            return False  # the quick code does the same
        if len(self.objects) < len(self.texts):
            return True
        self.code.improve(self.objects)
        self.kept = len(self.texts)
        disk.store(self.code.name, [_facts(self.code.facts._replace(quick=False, improved=0)), *self.objects])
        return False


def _unpacked(texts: bytes) -> list[str]:
    return zlib.decompress(texts).decode().split("\0")


def _facts(facts: Facts) -> bytes:
    return json.dumps(facts).encode()


def _read(text: bytes) -> Facts:
    # by JSON: Python's own reader of literals fails now and then where several threads use it at once
    facts = Facts(*json.loads(text))
    return facts._replace(functions=[(name, width, precision) for name, width, precision in facts.functions])


@cache
def _rows(lanes: Lanes, way: str) -> tuple[Any, int]:
    def write() -> str:
        from hapsis.compiler.backends.llvm.llvm_batch import rows_text

        return rows_text(lanes, way)

    return small_function(lanes.rows_symbol(way), write)
