"""Warnings of a run: what a reader of its result should know."""

from collections.abc import Collection

from hapsis.mechanics.model.forces.stop import Stop
from hapsis.mechanics.model.model import Model
from hapsis.motion.simulate.equations.kernels import Array
from hapsis.motion.simulate.run.run import Run

MOST = 4  # coordinates that a warning names


def run_warnings(run: Run, q: Array) -> list[str]:
    """All warnings of a run whose rows have these coordinates."""
    warnings = [run.energy.warning()] if run.energy.passed is None else []
    warnings += [run.limits.warning, _step_warning(run), _event_warning(run), _zone_warning(run)]
    warnings.append(limit_warning(run.kernels.system.model, q, run.parts.limited))
    return [text for text in warnings if text]


def _step_warning(run: Run) -> str:
    """What to say of a fixed step that is too long for what is given in time; empty if it is not."""
    limit, t = run.limits.shortest()
    step = run.options.step
    if step is None or not step > limit:
        return ""
    return (
        f"at t = {t:.6g} s something given as a function of time changes within {limit:.2g} s, and "
        f"steps are {step:g} s long: use a shorter step, or none so that steps adapt"
    )


def _event_warning(run: Run) -> str:
    """What to say of events that were finer than can be resolved; empty if none was."""
    if run.unresolved is None:
        return ""
    t, part = run.unresolved
    return (
        f"from t = {t:.6g} s on an event passes zero more often than every {part:.2g} s, and not all "
        "of that can be resolved: give longest_step, or an event that is smoother"
    )


def _zone_warning(run: Run) -> str:
    """What to say of forces that steps have gone through; empty if there are none."""
    if not run.passed:
        return ""
    _, zone, t = run.passed[0]
    name, count = run.kernels.system.extras.zones[zone], sum(each[0] for each in run.passed)
    return (
        f'steps go through "{name}" without feeling its force, {count} times, first at '
        f"t = {t:.6g} s: use a smaller step, or a method that adapts"
    )


def limit_warning(model: Model, q: Array, limited: Collection[str] = ()) -> str:
    """What to say of the coordinates that leave their limits, where no stop acts; empty if none does.

    q        rows of all coordinates
    limited  coordinates whose limits act otherwise
    """
    stops = {*limited} | {force.joint for force in model.forces.values() if isinstance(force, Stop)}
    outside = [
        f'"{name}" ({low:g} to {high:g})'
        for (low, high), (k, name) in zip(model.limits, enumerate(model.coordinates), strict=True)
        if name not in stops and (q[:, k].min() < low or q[:, k].max() > high)
    ]
    if not outside:
        return ""
    names = ", ".join(outside[:MOST]) + (f" and {len(outside) - MOST} more" if len(outside) > MOST else "")
    verb = "leaves its limits" if len(outside) == 1 else "leave their limits"
    return f"{names} {verb}, which do not act by themselves: use model.with_stops(), or add hs.Stop"
