"""Many scenes of particles side by side on all cores."""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from hapsis.compiler.backends.llvm.llvm import cores
from hapsis.compiler.ir.functions.progress_bar import Bar
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import Error, ModelError, SolveError, notice
from hapsis.mechanics.model.result import Result
from hapsis.mechanics.model.values.numbers import described, real
from hapsis.motion.particles.runs.simulate_scene import SceneRun, prepared
from hapsis.motion.particles.scenes.scene import Scene
from hapsis.motion.simulate.run.run_options import MOST_STEPS, TOLERANCE, run_options, whole

ROWS = 200
AHEAD = 4  # runs for each core whose memory is there at a time


@verb
def simulate_all(
    scenes: Iterable[Scene],
    until: float,
    start: Sequence[Any] | None = None,
    *,
    method: str = "auto",
    step: float | None = None,
    tolerance: float = TOLERANCE,
    every: float | None = None,
    most_steps: int = MOST_STEPS,
    longest_step: float | None = None,
    progress: bool | None = None,
    threads: int | None = None,
) -> tuple[Result, ...]:
    """The motions of many scenes, each with the bits that it has alone, on all cores.

        scenes = [hs.particles.Scene(cube.at(0, 0, z), floor) for z in heights]
        results = hs.particles.simulate_all(scenes, until=1.0)

    A run that goes wrong has its status and does not end the others; one notice says how many did. A scene
    that cannot begin is an error with its number.

    scenes        any number, also of different objects
    until         the time of the end, s
    start         a Result for each scene to go on from
    method        as in `hs.simulate`
    step          length of fixed steps, s
    tolerance     error allowed per step, of "order5" and "order8"
    every         s between two rows; by default a two-hundredth of the time
    most_steps    the budget of steps of a run
    longest_step  s, where steps adapt
    progress      a bar on standard error; by default on terminals, after a second
    threads       how many runs are made at a time; by default one for each core
    """
    table = list(scenes)
    for k, scene in enumerate(table):
        if not isinstance(scene, Scene):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ModelError(f"simulate_all takes scenes, not {described(scene)}", where=f"scenes[{k}]")
    starts = [None] * len(table) if start is None else list(start)
    if len(starts) != len(table):
        raise SolveError(f"there are {len(starts)} starts for {len(table)} scenes", expected="one for each")
    options = run_options(method, step, tolerance, True, most_steps, longest_step, Scene.methods)
    workers = cores() if threads is None else whole(threads, "threads")

    rows = real(until, "until") / ROWS if every is None else every

    def run(k: int) -> SceneRun:
        try:
            return prepared(table[k], until, starts[k], options, every=rows)
        except Error as error:
            raise type(error)(str(error), where=f"scenes[{k}]") from None

    with Bar(progress) as bar:
        bar.expect(0, len(table), "runs")
        results = _side_by_side(len(table), run, workers, bar)
    bad = [k for k, result in enumerate(results) if not result.success]
    if bad:
        first = results[bad[0]]
        notice(f"{len(bad)} of {len(table)} runs did not succeed; scenes[{bad[0]}]: {first.status}")
    return tuple(results)


def _side_by_side(count: int, run: Callable[[int], SceneRun], workers: int, bar: Bar) -> list[Result]:
    """All results; memories are filled and read here, native code runs in threads."""
    results: list[Result] = []
    waiting: deque[Future[SceneRun]] = deque()

    def take() -> None:
        results.append(waiting.popleft().result().result(""))
        bar.reached(len(results))

    with ThreadPoolExecutor(workers) as pool:
        for k in range(count):
            waiting.append(pool.submit(_gone, run(k)))
            # the first one compiles what all need
            while len(waiting) > (0 if k == 0 else AHEAD * workers):
                take()
        while waiting:
            take()
    return results


def _gone(run: SceneRun) -> SceneRun:
    run.go(Bar(False))
    return run
