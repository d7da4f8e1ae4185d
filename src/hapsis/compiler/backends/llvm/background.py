"""Good code compiled in the background: one thread, which ends when there is nothing left to do.

    submit(job)     a job is done step by step, a step is one module (some hundredths of a second)
                    what is there is stored at once; the rest begins when no other job has come for a
                    while: a first motion has both cores, and a process that ends at once needs no good
                    code
    settled()       returns when all jobs are done

The end of the process waits for the step under way and leaves the other jobs undone: their quick code is
in the cache on disk, with all that is needed to go on from there. `HAPSIS_BACKGROUND=off` compiles
everything well at once, for reproducible times.

Ctrl-C may come between any two instructions of the main thread, also while it starts the thread. So a
thread that does not run is started again, and only the last one started works.
"""

import atexit
import os
import signal
import threading
import time
from collections import deque
from typing import Any, Protocol

from hapsis.compiler.backends.environment import choice

# before us, so that its hook for forks is called after ours
from hapsis.compiler.backends.llvm import llvm_gate as llvm_gate
from hapsis.errors import notice

LATER = 0.01  # s
QUIET = 0.3  # s without a new job, after which the thread begins
LATEST = 2.0  # s after the first job, when it begins in any case


class Job(Protocol):
    """Work in steps. An error ends the job; what it works on stays as it is."""

    def keep(self) -> None:
        """Stores what is there already and not stored; before the first step, and before the process ends."""
        ...

    def step(self) -> bool:
        """Does one step; False when there is none left."""
        ...


class Interrupts:
    """Ctrl-C in the main thread, held back where nothing must be left half done: in hooks of the interpreter,
    which do not stop for it and would show a traceback of ours."""

    def __init__(self) -> None:
        self._usual: Any = None
        self._count = 0

    def hold(self) -> None:
        """From now on they are counted."""
        self._count = 0
        if threading.current_thread() is threading.main_thread():
            self._usual = signal.signal(signal.SIGINT, self._counted)

    def _counted(self, *_: object) -> None:
        self._count += 1

    def drop(self) -> None:
        """Those that came are forgotten, the next has its usual effect."""
        if self._usual is not None:
            signal.signal(signal.SIGINT, self._usual)
        self._usual = None

    def let_go(self) -> None:
        """They come a moment later, outside of the hook."""
        self.drop()
        if self._count:
            threading.Timer(LATER, os.kill, [os.getpid(), signal.SIGINT]).start()


class Background:
    """The jobs of this process and the thread that does them."""

    def __init__(self) -> None:
        self.jobs: deque[Job] = deque()
        self._interrupts = Interrupts()
        self.reset()

    def reset(self) -> None:
        """No thread runs: at the start, and in the child of a fork, where the next request starts one."""
        self._condition = threading.Condition()
        self._stepping = threading.Lock()  # taken during a step; `os.fork` waits for its end
        self._unkept: deque[Job] = deque(self.jobs)
        self._thread: threading.Thread | None = None
        self._first = self._begin = 0.0  # when jobs came, and when the thread begins
        self._ended = False

    def submit(self, job: Job) -> None:
        """Does this job as soon as those before it are done."""
        with self._condition:
            now = time.monotonic()
            self._first = self._first if self.jobs else now
            self._begin = min(now + QUIET, self._first + LATEST)
            self.jobs.append(job)
            self._unkept.append(job)
            self._condition.notify_all()
            self._start()

    def finish(self, job: Job | None = None) -> None:
        """Returns when this job, or every job, is done; at once within a job."""
        if threading.current_thread() is self._thread:
            return
        with self._condition:
            if job is not None and job in self.jobs and job is not self.jobs[0]:
                self.jobs.remove(job)
                self.jobs.insert(1, job)
            self._begin = 0.0  # somebody waits
            self._condition.notify_all()
            while not self._ended and (self.jobs if job is None else job in self.jobs):
                self._start()
                self._condition.wait()

    def end(self) -> None:
        """Waits for the step under way, then does no more; at the end of the process."""
        self._interrupts.hold()  # the process ends anyway, within a step: the rest is no user's business
        with self._condition:
            self._ended = True
            self._condition.notify_all()
            thread = self._thread
        if thread is not None and thread.is_alive():
            thread.join()
        for job in {*self._unkept, *list(self.jobs)[:1]}:
            job.keep()
        self._interrupts.drop()

    def _start(self) -> None:
        if (self._thread is None or not self._thread.is_alive()) and not self._ended:
            self._thread = threading.Thread(target=self._work, name="hapsis compiler", daemon=True)
            self._thread.start()

    def _work(self) -> None:
        self._wait_for_quiet()
        while self._goes_on():
            self._wait_for_quiet()

    def _wait_for_quiet(self) -> None:
        with self._condition:
            while self.jobs and not self._unkept and not self._ended:
                rest = self._begin - time.monotonic()
                if rest <= 0:
                    break
                self._condition.wait(rest)

    def _goes_on(self) -> bool:
        """Does a step of the next job; False where there is none, or where another thread works."""
        with self._stepping:
            job = self._next()
            if job is not None and not self._step(job):
                with self._condition:
                    self.jobs.remove(job)
                    self._condition.notify_all()
            return job is not None

    def _step(self, job: Job) -> bool:
        keeps = bool(self._unkept)
        try:
            if not keeps:
                return job.step()
            self._unkept.popleft().keep()
        except Exception as problem:  # whatever it is, the quick code stays
            notice(f"good code is not compiled in the background: {problem}")
        return keeps

    def before_fork(self) -> None:
        """Waits for the end of the step under way: a child would inherit its locks."""
        self._interrupts.hold()
        self._stepping.acquire()

    def after_fork(self) -> None:
        """In the parent: goes on."""
        self._stepping.release()
        self._interrupts.let_go()

    def in_child(self) -> None:
        """In the child: no thread runs."""
        self._interrupts.drop()
        self.reset()

    def _next(self) -> Job | None:
        with self._condition:
            if self._thread is not threading.current_thread():
                return None
            if self._ended or not self.jobs:
                self._thread = None
                self._condition.notify_all()
                return None
            return self.jobs[0]


_background = Background()
submit, finish = _background.submit, _background.finish
atexit.register(_background.end)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_background.before_fork,
        after_in_parent=_background.after_fork,
        after_in_child=_background.in_child,
    )


def settled() -> None:
    """Returns when all good code is there that was promised so far."""
    finish()


def pending() -> list[Job]:
    """The jobs that are not done yet."""
    return list(_background.jobs)


def allowed() -> bool:
    """Whether code may be compiled in the background."""
    return choice("HAPSIS_BACKGROUND") == "on"
