"""Why a run of a hybrid stops at an event: a status, and a sentence with the time and the names."""

from typing import Any

import numpy as np

from hapsis.motion.hybrid.actions import Impact
from hapsis.motion.hybrid.machine import PhaseMachine
from hapsis.motion.solvers.run import phase_memory as native


def failure(machine: PhaseMachine, integrator: Any, asked: int) -> tuple[str, str]:
    """The status and the message of an answer of native code that ends a run."""
    assert machine.phased is not None
    memory, t = machine.phased.memory, integrator.t
    present = machine.phases[int(integrator.y[machine.size + native.PHASE])].name
    event = f't = {t:.9g}: event "{machine.events[int(memory.culprit)].name[:60]}" in phase "{present[:60]}"'
    if asked == native.WEAK:
        return "singular", f't = {t:.9g}: phase "{present[:60]}" is at a singular position of its constraints'
    if asked == native.ZENO:
        struck = any(isinstance(a, Impact) for a in machine.transitions[int(memory.number)].actions)
        remedy = "give its impact rest=" if struck else "write it as an impact with rest="
        return "zeno", (
            f"{event} happens ever faster, within {native.INSTANT:g} s of the one before: "
            f"{remedy}, the phase in which bounces end"
        )
    if asked == native.CHATTERING:
        return "chattering", (
            f"{event} happens again at once: what it does leaves {_value(machine, memory)} where it was; "
            "let it lead to another phase, or give only="
        )
    after = machine.phases[int(memory.asked)]
    if asked == native.OPEN:
        return "contradiction", f'{event} leads to phase "{after.name[:60]}", {_open(machine, integrator)}'
    if asked == native.ENTRY:
        return "singular", (
            f'{event} leads to phase "{after.name[:60]}" at a singular position of its constraints'
        )
    if any(isinstance(action, Impact) for action in machine.transitions[int(memory.number)].actions):
        return "impact", (
            f'{event}: its impact into phase "{after.name[:60]}" has no finite solution: some direction that '
            "the phase leaves free has no mass"
        )
    return "not finite", f'{event} leads to phase "{after.name[:60]}" with values that are not finite'


def _value(machine: PhaseMachine, memory: Any) -> str:
    value = memory.values[int(memory.culprit)]
    return f"its value, {float(value):.3g},"


def _open(machine: PhaseMachine, integrator: Any) -> str:
    """Which row of the phase after is not met, and by how much."""
    memory, t = machine.phased.memory, integrator.t  # pyright: ignore[reportOptionalMemberAccess]
    after, gap = machine.phases[int(memory.asked)], float(memory.result[native.GAP])
    loops, layout = after.loops, after.store.layout
    if loops is None:
        return _unfit(gap)
    state = np.array(memory.trial[: machine.size])
    q, v, _, _ = layout.split(state[None])
    rates = np.abs(loops.jacobian(q[0], t) @ v[0])
    gaps = loops.relative_gaps(np.array([t]), q, v)[0]
    worst = int(np.argmax(np.nan_to_num(gaps, nan=np.inf)))
    if gap > 2.0 * max(gaps[worst], np.max(rates / loops.row_units)) + native.TORN:
        return _unfit(gap)
    gap, owner = gaps[worst] * loops.row_units[worst], loops.names[worst].rpartition(".")[0]
    if worst < loops.positions and gaps[worst] > native.TORN:
        return f'whose constraint "{owner[:60]}" is open there by {gap:.3g}'
    if worst < loops.positions:  # its places fit, its speeds do not
        worst = int(np.argmax(rates / loops.row_units))
        gap, owner = rates[worst], loops.names[worst].rpartition(".")[0]
    impacts = [a for a in machine.transitions[int(memory.number)].actions if isinstance(a, Impact)]
    slips = any(impact.friction is not None for impact in impacts)
    why = "the friction of the impact does not hold it" if slips else "let an impact come before"
    return f'whose constraint "{owner[:60]}" is broken by {gap:.3g} per second: {why}'


def _unfit(gap: float) -> str:
    return (
        "in which joints cannot have the poses and velocities that its swap exchanges; "
        f"they are off by {gap:.3g} of the size of the bodies"
    )
