"""Good code compiled in the background: one thread, which ends when there is nothing left to do.

    submit(job)     a job is done step by step, a step is one module (some hundredths of a second)
    settled()       returns when all jobs are done

The end of the process waits for the step under way and leaves the other jobs undone: their quick code is
in the cache on disk, with all that is needed to go on from there. `HAPSIS_BACKGROUND=off` compiles
everything well at once, for reproducible times.
"""

import atexit
import os
import threading
from collections import deque
from typing import Protocol

from hapsis.compiler.backends.environment import choice
# before us, so that its hook for forks is called after ours
from hapsis.compiler.backends.llvm import llvm_gate as llvm_gate
from hapsis.errors import notice


class Job(Protocol):
    """Work in steps. An error ends the job; what it works on stays as it is."""

    def keep(self) -> None:
        """Stores what is there already and not stored; before the first step, and before the process ends."""
        ...

    def step(self) -> bool:
        """Does one step; False when there is none left."""
        ...


class Background:
    """The jobs of this process and the thread that does them."""

    def __init__(self) -> None:
        self.jobs: deque[Job] = deque()
        self.reset()

    def reset(self) -> None:
        """No thread runs: at the start, and in the child of a fork, where the next request starts one."""
        self._condition = threading.Condition()
        self._stepping = threading.Lock()  # taken during a step; `os.fork` waits for its end
        self._unkept: deque[Job] = deque(self.jobs)
        self._thread: threading.Thread | None = None
        self._ended = False

    def submit(self, job: Job) -> None:
        """Does this job as soon as those before it are done."""
        with self._condition:
            self.jobs.append(job)
            self._unkept.append(job)
            self._start()

    def finish(self, job: Job | None = None) -> None:
        """Returns when this job, or every job, is done; at once within a job."""
        if threading.current_thread() is self._thread:
            return
        with self._condition:
            if job is not None and job in self.jobs and job is not self.jobs[0]:
                self.jobs.remove(job)
                self.jobs.insert(1, job)
            while not self._ended and (self.jobs if job is None else job in self.jobs):
                self._start()
                self._condition.wait()

    def end(self) -> None:
        """Waits for the step under way, then does no more; at the end of the process."""
        with self._condition:
            self._ended = True
            thread = self._thread
        if thread is not None:
            thread.join()
        for job in {*self._unkept, *list(self.jobs)[:1]}:
            job.keep()

    def _start(self) -> None:
        if self._thread is None and not self._ended:
            self._thread = threading.Thread(target=self._work, name="hapsis compiler", daemon=True)
            self._thread.start()

    def _work(self) -> None:
        while (job := self._next()) is not None:
            if not self._step(job):
                with self._condition:
                    self.jobs.remove(job)
                    self._condition.notify_all()

    def _step(self, job: Job) -> bool:
        with self._stepping:
            try:
                if not self._unkept:
                    return job.step()
                self._unkept.popleft().keep()
                return True
            except Exception as problem:  # whatever it is, the quick code stays
                notice(f"good code is not compiled in the background: {problem}")
                return False

    def before_fork(self) -> None:
        """Waits for the end of the step under way: a child would inherit its locks."""
        self._stepping.acquire()

    def after_fork(self) -> None:
        """In the parent: goes on."""
        self._stepping.release()

    def _next(self) -> Job | None:
        with self._condition:
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
        after_in_child=_background.reset,
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
