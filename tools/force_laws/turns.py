"""Threads that run one at a time, in simulated time: every order of events can be had again."""

import random
import threading
from collections.abc import Callable
from typing import Any

READING = 200  # ns that pass whenever somebody looks at the clock


class Ended(BaseException):
    """Ends a thread whose scenario is over."""


class Turns:
    """A clock that goes on only when all threads wait, and the threads that wait for it."""

    def __init__(self, draw: random.Random, most: int = 200_000) -> None:
        self.draw, self.now, self.left = draw, 1_000_000_000, most
        self.problem: BaseException | None = None
        self._waiting: dict[threading.Semaphore, int] = {}
        self._mine = threading.local()
        self._threads: list[threading.Thread] = []
        self._over = threading.Event()

    def clock(self) -> int:
        """The time, ns; looking at it takes some."""
        self.now += READING
        return self.now

    def freeze(self, time: int) -> None:
        """Everything stands still for so many ns, as if the process were stopped."""
        self.now += time

    def wait(self, moment: int) -> None:
        """Lets the others run until then; who is due first runs first, of several any."""
        turn = self._mine.turn
        self._waiting[turn] = max(self.now, moment)
        self._next()
        turn.acquire()
        if self._over.is_set():
            raise Ended

    def start(self, work: Callable[[], Any], name: str) -> None:
        """A thread of that name, which begins now."""
        turn = threading.Semaphore(0)
        self._waiting[turn] = self.now
        thread = threading.Thread(target=self._work, args=(work, turn), name=name, daemon=True)
        self._threads.append(thread)
        thread.start()

    def run(self) -> None:
        """Lets all threads run to their ends."""
        self._next()
        for thread in self._threads:
            thread.join(60.0)
            if thread.is_alive():
                raise TimeoutError("a thread of the scenario does not end")
        if self.problem is not None:
            raise self.problem

    def _work(self, work: Callable[[], Any], turn: threading.Semaphore) -> None:
        self._mine.turn = turn
        turn.acquire()
        try:
            if not self._over.is_set():
                work()
        except Ended:
            pass
        except BaseException as problem:
            self.problem = self.problem or problem
            self._end()
        self._next()

    def _next(self) -> None:
        """Lets the thread run whose turn it is."""
        self.left -= 1
        if self.left < 0 and not self._over.is_set():
            self.problem = self.problem or TimeoutError("the scenario does not end")
            self._end()
        if not self._waiting:
            return
        due = [turn for turn, moment in self._waiting.items() if moment <= self.now]
        if due:
            turn = self.draw.choice(due)
        else:
            turn = min(self._waiting, key=self._waiting.__getitem__)
            self.now = self._waiting[turn]
        del self._waiting[turn]
        turn.release()

    def _end(self) -> None:
        """All threads end at their next turn."""
        self._over.set()
