"""The gate to LLVM: every thread passes it before it compiles or links.

LLVM's own scheduler of instructions is a switch for the whole process. Our good code is compiled without
it (our order is better), everything else with it, other users of LLVM included. So the gate lets in at
one time only those who want the same, turns the switch, and turns it back when the last one leaves.

The background waits while somebody in the foreground compiles. `os.fork` waits until nobody is inside,
because a child would inherit LLVM's locks without the threads that hold them. The background, which waits
for its step before and holds Ctrl-C back, imports this module: hooks are called in the reverse order.

Ctrl-C may come between any two instructions. So everybody inside is a token in a set, which is removed
whether it was added or not: a number that is counted up and not down would keep others out for ever.
"""

import os
import threading
from collections.abc import Generator
from contextlib import contextmanager


class Gate:
    """Counts those inside LLVM, and those in the foreground who are about to be."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Nobody is inside: at the start, and in the child of a fork."""
        self._condition = threading.Condition()
        self._inside: set[object] = set()
        self._foreground: set[object] = set()
        self._scheduled = True

    @contextmanager
    def foreground(self) -> Generator[None]:
        """Keeps the background out from its next module on."""
        token = object()
        try:
            self._foreground.add(token)
            yield
        finally:
            self._foreground.discard(token)
            with self._condition:
                self._condition.notify_all()

    @contextmanager
    def passed(self, scheduled: bool | None = None, background: bool = False) -> Generator[None]:
        """Inside, with LLVM's scheduler on or off, or either way."""
        token = object()
        try:
            with self._condition:
                while (background and self._foreground) or (self._inside and not self._fits(scheduled)):
                    self._condition.wait()
                if not self._fits(scheduled):
                    self._switch(not self._scheduled)
                self._inside.add(token)
            yield
        finally:
            self._inside.discard(token)
            with self._condition:
                if not self._inside:
                    if not self._scheduled:
                        self._switch(True)
                    self._condition.notify_all()

    def _fits(self, scheduled: bool | None) -> bool:
        return scheduled is None or scheduled == self._scheduled

    def _switch(self, on: bool) -> None:
        from llvmlite import binding as llvm

        llvm.set_option("", f"-enable-misched={'true' if on else 'false'}")
        self._scheduled = on

    def before_fork(self) -> None:
        """Waits until nobody is inside, and lets nobody in until `after_fork`."""
        self._condition.acquire()
        while self._inside:
            self._condition.wait()

    def after_fork(self) -> None:
        """In the parent: goes on."""
        self._condition.release()


GATE = Gate()

if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=GATE.before_fork, after_in_parent=GATE.after_fork, after_in_child=GATE.reset)
