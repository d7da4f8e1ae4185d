"""The loop: a model, a device and a guard between them, at a fixed rate in a thread of its own."""

import contextlib
import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any

from hapsis.compiler.backends.llvm import background
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.native import place
from hapsis.errors import DeviceError, ModelError, near, notice
from hapsis.mechanics.model.values.numbers import real
from hapsis.touch.realtime import native_loop
from hapsis.touch.realtime.connection import (
    checked_connection,
    guard_of,
    longest_stall,
    loop_memory,
    telemetry_columns,
    telemetry_units,
)
from hapsis.touch.realtime.device import Device, check_free, give_back, take
from hapsis.touch.realtime.guard_memory import ASKED
from hapsis.touch.realtime.loop_memory import HELD, LoopMemory
from hapsis.touch.realtime.packed_step import NativeStep, check_period, pack_step
from hapsis.touch.realtime.priority import Granted, ask, check_can_wait, release, watch_over
from hapsis.touch.realtime.report import REAL_TIME, Report
from hapsis.touch.realtime.shutdown import Shutdown
from hapsis.touch.realtime.supervisor import Supervisor

CHANGE_TIME = 0.05  # s, over which a live parameter changes


@verb
class Loop:
    """A loop that runs a step at a fixed rate, in a native thread.

        step      what `hs.stepper` returns, or another step that is native code, as `hs.haptics.SurfaceStep`;
                  its dt must be the period of the rate
        rate      ticks per second
        live      names of parameters that may change while it runs, or "all" of them: what depends
                  on them is then computed in every tick
        guard     settings of the guard (see `Guard`); by default the device's largest forces. reserve
                  may be "start": what the model has at the start above what it has at rest
        core      the processor core to stay on
        soft      run hardware even where the system grants no real-time priority
        paced     False: as fast as possible, for tests and replays

    `connect(device)`, then `run(seconds=...)`, or `start()` and `stop()`; `report()` tells how it
    went. `telemetry` is the ring of rows, with columns named `columns`; `memory` is the record that
    native code works on.
    """

    def __init__(
        self,
        step: Function | NativeStep,
        rate: float,
        *,
        live: Sequence[str] | str = (),
        guard: Mapping[str, Any] | None = None,
        core: int | None = None,
        soft: bool = False,
        paced: bool = True,
    ) -> None:
        self.rate = real(rate, "rate")
        if not 1.0 <= self.rate <= 1e5:
            raise ModelError(f"the rate is {self.rate:g} per second", expected="from 1 to 100000")
        self.step = pack_step(step, live)
        check_period(self.step, self.rate)
        if core is not None and (not isinstance(core, int) or not 0 <= core < 4096):  # pyright: ignore
            raise ModelError(f"core is {core}", expected="the number of a processor core, from 0")
        self.core, self.soft, self.paced = core, soft, paced
        self._guard_settings = guard
        self.device: Device | None = None
        self.granted: Granted | None = None
        self._problem: BaseException | None = None
        self._thread: threading.Thread | None = None
        self._shutdown, self._done = Shutdown(self.stop), threading.Event()
        self._stopping = threading.RLock()  # a signal may call `stop` within `stop`

    @verb
    def connect(self, device: Any, *, gains: Mapping[str, float] | None = None) -> "Loop":
        """Connects a device: its axes meet inputs and outputs of the step in their order.

        gains    {input or output: factor}, where a device counts otherwise

        A fault of the device before it stays: only `guard.rearm()` ends it.
        """
        if self._thread is not None:
            raise DeviceError("the loop runs: stop it before another device is connected")
        device = checked_connection(device, self.step)
        guard = guard_of(device, self.rate, self._guard_settings, self.step)
        memory, telemetry = loop_memory(device, self.step, guard, self.rate, self.paced, gains)
        if self.device is not None:
            guard.take_fault(self.guard)
        self.columns = telemetry_columns(device, self.step)
        self.units = telemetry_units(device, self.step)
        self.guard, self.memory, self.telemetry, self.device = guard, memory, telemetry, device
        return self

    @verb
    def start(self, ticks: int = 0) -> "Loop":
        """Starts the thread; it ends after so many ticks, or with 0 only by `stop`."""
        if self._shutdown.elsewhere:
            raise DeviceError("the loop runs in another process", remedy="make another one in this process")
        if self.device is None:
            raise DeviceError("the loop has no device", remedy="connect one first")
        check_can_wait(self.paced)
        if self._thread is not None:
            raise DeviceError("the loop runs already")
        self.guard.restart()  # the previous stop was asked for, and so is this start
        if self.guard.fault:
            notice(f"the loop starts without force: {self.guard.cause}; guard.rearm() ends the fault")
        check_free(self.device)
        background.settled()  # its code is not exchanged while it runs
        self.device.open()
        take(self.device, "a loop that runs")
        self.memory.limit = self.memory.ticks + ticks if ticks else 0
        self.memory.stop = 0
        ready = threading.Event()
        # an Event, as Control-C in `join` makes a thread look ended (CPython 3.11)
        self._done.clear()
        try:
            self._shutdown.register()
        except BaseException:  # there is no thread to stop
            self._close()
            raise
        self._thread = threading.Thread(
            target=self._run_thread, args=(ready,), name="hapsis loop", daemon=True
        )
        try:
            self._thread.start()
            ready.wait()
        except RuntimeError as problem:  # the system allows no more threads
            self._problem, self._thread = problem, None
            self._close()
        except KeyboardInterrupt:  # nobody else would stop it
            self.stop()
            raise
        if self._problem is not None:
            self.stop()
        return self

    def _run_thread(self, ready: threading.Event) -> None:
        """Asks the system for priority, and ticks; the target of the thread."""
        device = self.device
        assert device is not None
        try:
            _ = native_loop.run.address  # compiled before the first deadline
            self.granted = ask(self.core) if self.paced else Granted("", "", "")
            if device.capabilities.hardware and not self.soft and not self.granted.hard:
                lines = "; ".join(self.granted.missing)
                raise DeviceError(f'"{device.name}" is not armed: {lines}', remedy="or run it with soft=True")
            ready.set()
            with self._supervisor(device):
                native_loop.run(self.memory)
        except BaseException as error:
            self._problem = error
        finally:
            if self.paced:
                release()
            ready.set()
            self._done.set()

    def _supervisor(self, device: Device) -> Any:
        """What takes the force away if the loop stands still; nothing for one that is not paced."""
        if not self.paced:
            return contextlib.nullcontext()
        return Supervisor(
            place(self.memory, "pulse"),
            limit=longest_stall(self.rate),
            write=device.write,
            axes=len(device.axes),
            guard=self.guard,
            prepare=watch_over,
        )

    @verb
    def stop(self) -> None:
        """Ends the loop: the force goes to zero on the guard's ramp, however long that is, and the
        device is closed. In a process that was forked from that of the loop it does nothing."""
        if self._shutdown.elsewhere:
            return
        with self._stopping:
            thread = self._thread
            if thread is None:
                return
            if self.paced and not self._done.is_set():
                self.guard.stop()
                while not (self.guard.gone or self._done.wait(0.001)):
                    pass
            self.memory.stop = 1
            self._done.wait()  # what force is left goes in the loop's thread
            thread.join()
            if self._thread is not None:  # else a signal came meanwhile, and did the rest
                self._thread = None
                self._close()

    def _close(self) -> None:
        """Closes the device behind the last command, and tells why the thread ended."""
        device = self.device
        assert device is not None
        self.guard.end_run()
        self._shutdown.unregister()
        give_back(device)
        device.close()
        problem, self._problem = self._problem, None
        if problem is not None:
            raise problem

    @verb
    def run(self, seconds: float) -> "Loop":
        """Runs for so many seconds and returns; Control-C ends it as `stop` does."""
        seconds = real(seconds, "seconds")
        ticks = round(seconds * self.rate)
        if ticks < 1:
            raise ModelError(f"seconds is {seconds:g}", expected="at least one period")
        # the force of hardware goes to zero on the guard's ramp, so it ends a little later
        ramped = self.device is not None and self.device.capabilities.hardware and self.paced
        end = self.memory.ticks + ticks if self.device is not None else 0
        try:
            self.start(0 if ramped else ticks)  # ends what it began if it is interrupted
            try:
                while not self._done.wait(0.005 if ramped else 0.05):
                    if ramped and self.memory.beat >= end:
                        break
            finally:
                self.stop()
        except KeyboardInterrupt:
            self.stop()  # where a second one came while it stopped
            notice("stopped by the user")
        if self.guard.fault not in (0, ASKED):
            notice(f"the force was taken away: {self.guard.cause}")
        if self.paced and self.granted is not None:
            self._notice(self.granted)
        return self

    def _notice(self, granted: Granted) -> None:
        """Tells what the system did not grant, and that periods were skipped."""
        for line in granted.missing:
            notice(f"soft real time: {line}")
        ticks, skips = int(self.memory.ticks), int(self.memory.skips)
        if ticks < REAL_TIME * (ticks + skips):
            notice(
                f"slow motion: {skips} of {ticks + skips} periods were skipped, the model "
                f"ran at {ticks / (ticks + skips):.3g} of real time"
            )

    @verb
    def set(self, name: str, value: float, over: float = CHANGE_TIME) -> None:
        """Changes a live parameter, in a straight line over that many seconds; or a held input."""
        value, step = real(value, f'"{name}"'), self.step
        over = real(over, "over")
        if over < 0.0:
            raise ModelError(f"over is {over:g} s", expected="0 or more")
        if name in step.live:
            k, memory = step.live.index(name), self._connected()
            aims = dict(zip(step.live, memory.live_aims.tolist(), strict=True))
            step.check({**aims, name: value})
            memory.live_rates[k] = abs(value - memory.live[k]) / max(over, 1.0 / self.rate)
            memory.live_aims[k] = value
        elif name in step.inputs:
            k, memory = step.inputs.index(name), self._connected()
            if memory.sources[k] != HELD:
                raise ModelError(f'"{name[:60]}" comes from the device')
            memory.u[k] = value
        else:
            known = (*step.live, *step.inputs)
            raise ModelError(
                f'"{str(name)[:60]}" cannot be changed while the loop runs{near(str(name), known)}',
                remedy="name it in live=[...]",
            )

    def _connected(self) -> LoopMemory:
        """The memory, which is there as soon as a device is."""
        if self.device is None:
            raise DeviceError("the loop has no device", remedy="connect one first")
        return self.memory

    @verb
    def wait(self, ticks: int, timeout: float = 10.0) -> None:
        """Returns when so many ticks have been made in all, or after `timeout` seconds."""
        end, memory = time.monotonic() + timeout, self._connected()
        while memory.beat < ticks and time.monotonic() < end:
            time.sleep(0.001)

    @property
    def running(self) -> bool:
        """Whether the loop runs, in this process."""
        return self._thread is not None and not self._shutdown.elsewhere

    @property
    def state(self) -> Any:
        """The state of the model between two ticks: q, v, z, t."""
        state = self._connected().state
        return state.y[state.side * state.size : (state.side + 1) * state.size].copy()

    def report(self) -> Report:
        """The report of all runs so far."""
        self._connected()
        return Report.of(self)
