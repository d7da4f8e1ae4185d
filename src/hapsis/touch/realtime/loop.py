"""The loop: a model, a device and a guard between them, at a fixed rate in a thread of its own."""

import contextlib
import math
import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hapsis.compiler.backends.compile import compile
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.native import bound
from hapsis.errors import DeviceError, ModelError, near, notice
from hapsis.mechanics.model.values.numbers import real
from hapsis.touch.realtime import native_loop as ticking
from hapsis.touch.realtime.device import Device, Layout, checked
from hapsis.touch.realtime.guard import Guard
from hapsis.touch.realtime.guard_layout import ASKED
from hapsis.touch.realtime.priority import Granted, ask, release
from hapsis.touch.realtime.report import REAL_TIME, Report
from hapsis.touch.realtime.ring import Ring
from hapsis.touch.realtime.shutdown import Shutdown
from hapsis.touch.realtime.step_packing import tick_of
from hapsis.touch.realtime.supervisor import Supervisor

BINS = 20_000  # of a microsecond
ROWS = 1 << 16  # telemetry kept, at least; and of that many seconds:
SECONDS = 20.0
SOFTLY = 0.05  # s, over which a live parameter changes
STALL = 0.025  # s without a tick, or three periods: then the force is taken away
LONG_ENOUGH = 0.5  # s, for the guard's ramp
LEVELS = ("position", "velocity", "force")


class Loop:
    """Runs a step at a rate, in a native thread.

        step      what `hs.stepper` returns; its dt must be that of the rate
        rate      ticks per second
        live      names of parameters that may change while it runs, or "all" of them: what depends
                  on them is computed in every tick then
        guard     settings of the guard (see `Guard`); the device's greatest forces if not given
        core      the processor core to stay on
        soft      run hardware even where the system grants no real-time priority
        paced     False: as fast as it can, for tests and replays

    `connect(device)`, then `run(seconds=...)`, or `start()` and `stop()`; `report()` tells how it
    went. What is in the ring, `telemetry`, is named by `columns`.
    """

    def __init__(
        self,
        step: Function,
        rate: float,
        *,
        live: Sequence[str] | str = (),
        guard: Any = None,
        core: int | None = None,
        soft: bool = False,
        paced: bool = True,
    ) -> None:
        self.rate = real(rate, "rate")
        if not 1.0 <= self.rate <= 1e5:
            raise ModelError(f"the rate is {self.rate:g} per second", expected="from 1 to 100000")
        self.tick = tick_of(step, live)
        self.core, self.soft, self.paced = core, soft, paced
        self._settings = guard
        self.device: Device | None = None
        self.granted: Granted | None = None
        self.trouble: BaseException | None = None
        self._thread: threading.Thread | None = None
        self._shutdown, self._done = Shutdown(self.stop), threading.Event()
        self._held = dict(zip(self.tick.inputs, self.tick.rest, strict=False))

    def connect(self, device: Any, *, gains: Mapping[str, float] | None = None) -> "Loop":
        """Takes a device: its axes meet inputs and outputs of the step in their order.

        gains    {input or output: factor}, where a device counts otherwise
        """
        if self._thread is not None:
            raise DeviceError("the loop runs: stop it before another device is connected")
        can = checked(device).capabilities
        if can.causality == "admittance" and can.hardware:
            raise DeviceError(
                f'"{device.name}" takes positions, and the guard can only let go of forces',
                remedy="use hardware of admittance behind a controller of its own, as a UDP device",
            )
        self.device = device
        n, tick = len(device.axes), self.tick
        self.layout = Layout(n)
        self._takes = self._mapped(device)
        if n > len(tick.outputs):
            raise DeviceError(
                f'"{device.name}" has {n} axes, and the step tells {len(tick.outputs)} numbers',
                remedy="name an output of hs.stepper for each axis",
            )
        self._gives = np.arange(max(n, 1))
        known = (*tick.inputs, *tick.outputs)
        for name in gains or {}:
            if name not in known:
                raise ModelError(f'gains name "{str(name)[:60]}"{near(str(name), known)}')
        factors = {name: real(x, f'the gain of "{name}"') for name, x in (gains or {}).items()}
        count = max(1, len(tick.inputs))
        self._gains = np.ones(count + n)
        for k, name in enumerate((*tick.inputs, *[""] * (count - len(tick.inputs)))):
            self._gains[k] = factors.get(name, 1.0)
        for k in range(n):
            self._gains[count + k] = factors.get(tick.outputs[k], 1.0)
        self._build()
        return self

    def _mapped(self, device: Device) -> Any:
        """For each input which number of the sample; what the device does not give is held."""
        tick, can = self.tick, device.capabilities
        takes = np.full(max(1, len(tick.inputs)), ticking.NOTHING, dtype=np.int64)
        used: dict[str, int] = dict.fromkeys(LEVELS, 0)
        for k, name in enumerate(tick.inputs):
            level = name.rpartition(".")[2]
            if level not in ("position", "velocity"):
                level = "force" if can.causality == "admittance" else ""
            if level in can.measures and used[level] < len(device.axes):
                takes[k] = getattr(self.layout, level) + used[level]
                used[level] += 1
        if not (takes != ticking.NOTHING).any() and len(tick.inputs):
            raise DeviceError(
                f'"{device.name}" measures {", ".join(can.measures)}, and the step takes '
                f"{', '.join(tick.inputs)}: nothing meets",
                remedy="give the step inputs such as a drive's NAME.position",
            )
        return takes

    def _build(self) -> None:
        """All memory and all kernels, before the first tick."""
        tick, n = self.tick, self.layout.axes
        device = self.device
        assert device is not None
        inputs, outputs = max(1, len(tick.inputs)), max(1, len(tick.outputs))
        width = ticking.HEAD + self.layout.size + inputs + len(tick.live) + outputs + n
        self.columns = (
            "t",
            "late",
            "compute",
            "fault",
            *(f"{device.name}.{axis}.{level}" for level in LEVELS for axis in device.axes),
            f"{device.name}.status",
            f"{device.name}.counter",
            *(tick.inputs or ("none",)),
            *tick.live,
            *(tick.outputs or ("none",)),
            *(f"{device.name}.{axis}.command" for axis in device.axes),
        )
        self.telemetry = Ring(max(ROWS, math.ceil(SECONDS * self.rate)), width)
        self.facts, self.counts = (np.zeros(k, np.int64) for k in (ticking.FACTS, ticking.COUNTS))
        self.facts[: ticking.FREE + 1] = (
            round(1e9 / self.rate),
            0,
            len(tick.start),
            inputs,
            outputs,
            n,
            len(tick.live),
            width,
            self.telemetry.capacity,
            BINS,
            int(not self.paced),
        )
        self.states = np.concatenate([tick.start, tick.start])
        self.inputs = np.array(tick.rest)
        self._live = np.concatenate([tick.values, tick.values, np.zeros(len(tick.values))])
        self.late, self.work = np.zeros(BINS, np.int64), np.zeros(BINS, np.int64)
        can = device.capabilities
        settings: dict[str, Any] = {"axes": device.axes, "units": can.units}
        if "rate" in can.facts:  # it samples slower than we tick
            settings["sample_every"] = max(1, math.ceil(self.rate / float(can.facts["rate"])))
        if can.causality == "admittance":
            settings["passive"] = False  # commands are positions: no energy is told by them
        settings |= self._settings or {}
        self.guard = Guard(can.max_force, 1.0 / self.rate, **settings)
        self._step = bound(compile(tick.function), vary=("y", "u", "live", "y_new", "out"))
        self._arrays = (
            self.facts,
            self.counts,
            self._takes,
            self._gives,
            self._gains,
            self.states,
            self.inputs,
            self._live,
            np.zeros(outputs),
            np.zeros(self.layout.size),
            np.zeros(n),
            np.zeros(n),
            self.late,
            self.work,
            np.zeros(width),
            self.telemetry.memory,
            np.zeros(1),
            self.guard.counts,
        )

    # running -------------------------------------------------------------------------------------

    def start(self, ticks: int = 0) -> "Loop":
        """Begins; after that many ticks it ends by itself, if they are not 0."""
        if self.device is None:
            raise DeviceError("the loop has no device", remedy="connect one first")
        if self._thread is not None:
            raise DeviceError("the loop runs already")
        self.facts[ticking.LIMIT] = int(self.counts[ticking.TICKS]) + ticks if ticks else 0
        self.counts[ticking.STOP] = 0
        if self.guard.fault == ASKED:
            self.guard.rearm()  # the stop before was asked for, and so is this start
        self.device.open()
        ready = threading.Event()
        # an Event, as Control-C in `join` makes a thread look ended (CPython 3.11)
        self._done.clear()
        self._thread = threading.Thread(target=self._work, args=(ready,), name="hapsis loop", daemon=True)
        self._shutdown.register()
        self._thread.start()
        ready.wait()
        if self.trouble is not None:
            self.stop()
        return self

    def _work(self, ready: threading.Event) -> None:
        """The thread: asks for what the system grants, and ticks."""
        device = self.device
        assert device is not None
        try:
            # the interpreter's own first: native code is compiled before the first deadline
            _ = ticking.run.address
            self.granted = ask(self.core) if self.paced else Granted("", "", "")
            if device.capabilities.hardware and not self.soft and not self.granted.hard:
                lines = "; ".join(self.granted.missing)
                raise DeviceError(f'"{device.name}" is not armed: {lines}', remedy="or run it with soft=True")
            ready.set()
            with self._watched(device):
                ticking.run(device.read, self._step, self.guard.kernel, device.write, *self._arrays)
        except BaseException as error:
            self.trouble = error
        finally:
            if self.paced:
                release()
            ready.set()
            self._done.set()

    def _watched(self, device: Device) -> Any:
        """Who takes the force away should the loop stand still; nobody at its own pace."""
        if not self.paced:
            return contextlib.nullcontext()
        return Supervisor(
            self.counts,
            ticking.BEAT,
            limit=max(STALL, 3.0 / self.rate),
            write=device.write,
            axes=len(device.axes),
            guard=self.guard,
        )

    def stop(self) -> None:
        """Ends it: the force goes to zero on the guard's ramp, and the device is given back."""
        thread, device = self._thread, self.device
        if thread is None or device is None:
            return
        if self.paced and not self._done.is_set():
            self.guard.stop()
            end = time.monotonic() + LONG_ENOUGH
            while not (self.guard.gone or self._done.wait(0.001)) and time.monotonic() < end:
                pass
        self.counts[ticking.STOP] = 1
        self._done.wait()
        thread.join()
        self._thread = None
        with contextlib.suppress(Exception):
            device.write(np.zeros(1), np.zeros(max(1, self.layout.axes)))
        self._shutdown.unregister()
        device.close()
        trouble, self.trouble = self.trouble, None
        if trouble is not None:
            raise trouble

    def run(self, seconds: float) -> "Loop":
        """Runs for so long, and comes back; Control-C ends it softly."""
        seconds = real(seconds, "seconds")
        ticks = round(seconds * self.rate)
        if ticks < 1:
            raise ModelError(f"seconds is {seconds:g}", expected="at least one period")
        # of hardware the force is let go on the guard's ramp, so that it ends a little later
        soft = self.device is not None and self.device.capabilities.hardware and self.paced
        end = int(self.counts[ticking.TICKS]) + ticks if self.device is not None else 0
        self.start(0 if soft else ticks)
        try:
            while not self._done.wait(0.005 if soft else 0.05):
                if soft and self.counts[ticking.BEAT] >= end:
                    break
        except KeyboardInterrupt:
            notice("stopped by the user")
        finally:
            self.stop()
        if not self.paced or self.granted is None:
            return self
        for line in self.granted.missing:
            notice(f"soft real time: {line}")
        made, skipped = int(self.counts[ticking.TICKS]), int(self.counts[ticking.SKIPS])
        if made < REAL_TIME * (made + skipped):
            notice(
                f"slow motion: {skipped} of {made + skipped} periods were skipped, the model "
                f"ran at {made / (made + skipped):.3g} of real time"
            )
        return self

    # between two ticks ----------------------------------------------------------------------------

    def set(self, name: str, value: float, over: float = SOFTLY) -> None:
        """Changes a live parameter, in a straight line over that many seconds; or a held input."""
        value = real(value, f'"{name}"')
        n = len(self.tick.values)
        if name in self.tick.live:
            k = self.tick.live.index(name)
            self._live[2 * n + k] = abs(value - self._live[k]) / max(over, 1.0 / self.rate)
            self._live[n + k] = value
        elif name in self.tick.inputs:
            k = self.tick.inputs.index(name)
            if self._takes[k] != ticking.NOTHING:
                raise ModelError(f'"{name[:60]}" comes from the device')
            self.inputs[k] = value
        else:
            known = (*self.tick.live, *self.tick.inputs)
            raise ModelError(
                f'"{str(name)[:60]}" cannot be changed while the loop runs{near(str(name), known)}',
                remedy="name it in live=[...]",
            )

    def wait(self, ticks: int, timeout: float = 10.0) -> None:
        """Until so many ticks have been made in all."""
        end = time.monotonic() + timeout
        while self.counts[ticking.BEAT] < ticks and time.monotonic() < end:
            time.sleep(0.001)

    @property
    def running(self) -> bool:
        """Whether it ticks."""
        return self._thread is not None

    @property
    def state(self) -> Any:
        """The state of the model between two ticks: q, v, z, t."""
        n, side = int(self.facts[ticking.STATES]), int(self.counts[ticking.SIDE])
        return self.states[side * n : (side + 1) * n].copy()

    def report(self) -> Report:
        """How it went so far."""
        return Report.of(self)
