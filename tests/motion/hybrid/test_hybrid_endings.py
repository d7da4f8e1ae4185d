"""What cannot go on says so in runs, in batches and in steps alike: status, time, state and names."""

import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from samples import sample

import hapsis as hs

FALL = np.sqrt(2.0 / 9.81)


def ball(*more: Any) -> hs.Model:
    body = hs.Body("ball", mass=1.0, inertia=(0.1, 0.1, 0.1))
    return hs.Model(body, hs.Chain("at", hs.WORLD, "ball", "Tx Tz"), *more)


def floor(then: Any = (), **fields: Any) -> hs.Event:
    return hs.Event("floor", when=hs.height("ball"), falling=True, then=then, **fields)


def reversal(e: float) -> Any:
    return hs.reset({"at.Tz.v": lambda s: -e * s["at.Tz.v"]})


def stepped(hybrid: hs.Hybrid, dt: float, count: int, start: dict[str, float]) -> Any:
    step = hs.compile(hs.stepper(hybrid, dt, start=start, outputs=["status", "phase"]))
    state = step()
    for _ in range(count - 1):
        state = step(state.q, state.v, state.z, state.t)
    return state


def simulated(hybrid: hs.Hybrid, until: float, start: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return hs.simulate(hybrid, until, start, every=until, tolerance=1e-12)


def endless() -> hs.Hybrid:
    return hs.Hybrid({"flight": ball()}, [floor(hs.impact("ball", restitution=0.5))])


def reset_bounce() -> hs.Hybrid:
    return hs.Hybrid({"flight": ball()}, [floor(reversal(0.5))])


def inelastic() -> hs.Hybrid:
    return hs.Hybrid({"flight": ball()}, [floor(hs.impact("ball"))])


def unfit() -> hs.Hybrid:
    phases = {"flight": ball(), "held": ball().pinned("ball")}
    return hs.Hybrid(phases, [floor(during="flight", to="held")])


def elsewhere() -> hs.Hybrid:
    high = ball(hs.Constraint("high", rows=lambda s: s["at.Tz"] - 0.3))
    return hs.Hybrid({"flight": ball(), "held": high}, [floor(hs.impact(), during="flight", to="held")])


def slippery() -> hs.Hybrid:
    blow = floor(hs.impact("ball", friction=0.01), during="flight", to="held")
    return hs.Hybrid({"flight": ball(), "held": ball().pinned("ball")}, [blow])


def infinite() -> hs.Hybrid:
    return hs.Hybrid({"flight": ball()}, [floor(hs.reset({"at.Tx": lambda s: 1.0 / (s["at.Tx"] * 0.0)}))])


def stopping() -> hs.Hybrid:
    return hs.Hybrid({"flight": ball()}, [floor(stop=True)])


CASES = [
    (endless, "zeno", 3 * FALL),
    (reset_bounce, "zeno", 3 * FALL),
    (inelastic, "chattering", FALL),
    (unfit, "contradiction", FALL),
    (elsewhere, "contradiction", FALL),
    (slippery, "contradiction", FALL),
    (infinite, "not finite", FALL),
    (stopping, "event", FALL),
]


@pytest.mark.parametrize(("made", "status", "when"), CASES)
def test_runs_batches_and_steps_end_with_one_status_time_state_and_name(made, status, when):
    hybrid, start = made(), {"at.Tz": 1.0, "at.Tx.v": 1.0}
    run = simulated(hybrid, 2.0, start)
    assert run.status == status and 'event "floor"' in run.message
    assert run.t[-1] == pytest.approx(when, abs=1e-6)
    many = simulated(hybrid, 2.0, {"at.Tz": np.array([50.0, 1.0]), "at.Tx.v": 1.0})
    assert many.status == ("done", status) and many.message[1] == run.message
    state = stepped(hybrid, 7e-3, 300, start)
    told = hybrid.ending(state.z)
    assert state.status > 0 and state.phase == -1.0
    assert told.startswith(f"{status}: t = ") and 'event "floor" in phase "flight"' in told
    assert state.z[-3] == pytest.approx(when, abs=1e-6)
    assert np.allclose(state.q, [run[n][-1] for n in hybrid.coordinates], atol=1e-7)


@settings(max_examples=sample(4, 12), deadline=None, phases=[Phase.explicit, Phase.generate])
@given(
    e=st.floats(0.05, 0.98),
    drop=st.floats(1e-4, 2.0),
    dt=st.sampled_from([1e-3, 2e-2, 0.3]),
    how=st.sampled_from(["reset", "impact", "rest"]),
)
def test_steps_are_runs_with_any_number_of_bounces_in_one(e, drop, dt, how):
    then = (
        reversal(e)
        if how == "reset"
        else hs.impact("ball", restitution=e, rest="rest" if how == "rest" else None)
    )
    phases = {"flight": ball(), "rest": ball().pinned("ball")}
    hybrid, start = hs.Hybrid(phases, [floor(then, during="flight")]), {"at.Tz": drop, "at.Tx.v": 0.5}
    end = np.sqrt(2.0 * drop / 9.81) * (1.0 + e) / (1.0 - e)
    for count in {max(1, int(share * end / dt)) for share in (0.9, 0.999)} | {int(1.1 * end / dt) + 2}:
        if count > 3000:
            continue
        run, state = simulated(hybrid, count * dt, start), stepped(hybrid, dt, count, start)
        assert np.allclose(state.q, [run[n][-1] for n in hybrid.coordinates], rtol=0.0, atol=1e-7)
        told = hybrid.ending(state.z).partition(":")[0]
        assert (told, float(state.z[-4])) == ("" if run.success else run.status, run["phase"][-1])


def test_a_dip_within_a_step_is_an_event():
    """A value that passes zero and comes back within one step."""
    low = hs.Event(
        "low",
        when=lambda s: s["at.Tz"] - 0.5,
        falling=True,
        then=hs.reset({"at.Tx.v": lambda s: s["at.Tx.v"] + 1.0}),
    )
    up = hs.Model(hs.Body("ball", mass=1.0), hs.Chain("at", hs.WORLD, "ball", "Tx Tz"), gravity=(0, 0, 10.0))
    hybrid = hs.Hybrid({"flight": up}, [low])
    start = {"at.Tz": 0.5 + 1e-4, "at.Tz.v": -0.1}  # 0.4 mm below the line, for 18 ms
    run, state = simulated(hybrid, 0.1, start), stepped(hybrid, 0.1, 1, start)
    assert len(run.events) == 1
    assert np.allclose(state.q, [run[n][-1] for n in hybrid.coordinates], rtol=0.0, atol=1e-9)


def test_more_events_than_a_step_can_have_are_told():
    slow = hs.Event(
        "slow",
        when=lambda s: s["at.Tx"] - 2e-7,
        rising=True,
        then=hs.reset({"at.Tx": lambda s: s["at.Tx"] - 2e-7}),
    )
    hybrid, start = hs.Hybrid({"flight": ball()}, [slow]), {"at.Tx.v": 1.0}
    state = stepped(hybrid, 1e-2, 3, start)
    assert hybrid.ending(state.z).startswith("too many events: t = ")
    assert 0.0 < state.z[-3] < 1e-2
    assert state.q[1] == pytest.approx(-0.5 * 9.81 * state.z[-3] ** 2, rel=1e-6)  # where it had come to


def test_a_tolerance_that_cannot_be_met_is_told_with_its_phase():
    pull = hs.Controller("pull", lambda s: {"x": 1.0 / (0.5 - s["x"]) ** 3})
    cart = hs.Model(hs.Body("cart", mass=1.0), hs.Prismatic("x", hs.WORLD, "cart", axis="x"), pull)
    far = hs.Event("far", when=lambda s: s["x"] - 10.0, rising=True, then=hs.reset({"x": 0.0}))
    hybrid = hs.Hybrid({"pulled": cart}, [far])
    run = simulated(hybrid, 5.0, None)
    assert run.status == "step too small" and run.message.endswith('in phase "pulled"')
    assert run.t[-1] == pytest.approx(0.25, abs=1e-6) and run.message.startswith("t = 0.25")
    many = simulated(hybrid, 5.0, {"x": np.array([0.0, -1.0])})
    assert many.status == ("step too small",) * 2 and many.message[0] == run.message
    with pytest.raises(hs.SolveError, match=r"t = 0.25: the step that the accuracy asks for"):
        hs.find_cycle(hybrid)


@pytest.mark.parametrize(("made", "status", "when"), CASES[2:7])
def test_a_cycle_that_cannot_be_is_told_with_the_time_and_the_event(made, status, when):
    with pytest.raises(hs.SolveError, match=rf't = {when:.7g}\d*: event "floor" in phase "flight"'):
        hs.find_cycle(made(), near={"at.Tz": 1.0, "at.Tx.v": 1.0})


def test_constraints_that_contradict_each_other_after_a_while_end_runs_and_steps():
    """A stretched arm, its tip pinned: one row is redundant at the start, and soon after it is not."""
    half = dict(mass=1.0, com=(0.5, 0, 0), inertia=(0.1, 0.1, 0.1), frames={"end": (1.0, 0, 0)})
    arm = hs.Model(
        hs.Body("a", **half), hs.Body("b", **half),
        hs.Chain("j0", hs.WORLD, "a", "Ry Rz"), hs.Ball("j1", "a.end", "b"),
    )  # fmt: skip
    late = hs.Event("late", when=lambda s: s.t - 9.0, rising=True, stop=True)
    hybrid = hs.Hybrid({"held": arm.pinned("b.end")}, [late])
    assert hs.simulate(hybrid, 0.1).status == "torn"
    step = hs.compile(hs.stepper(hybrid, dt=1e-3, outputs=["status"]))
    state = step()
    for _ in range(100):
        state = step(state.q, state.v, state.z, state.t)
    words = hybrid.ending(state.z)
    assert state.status == 6 and "constraints that contradict each other" in words and 'phase "held"' in words


def test_a_partition_that_leads_no_more_ends_the_steps_and_not_the_run():
    """On a circle, at its lowest point, x leads; as high as the centre it does not."""
    bead = hs.Model(
        hs.Body("bead", mass=1.0),
        hs.Chain("at", hs.WORLD, "bead", "Tx Tz"),
        hs.Distance("rod", "bead", hs.WORLD, length=1.0),
    )
    hybrid = hs.Hybrid({"round": bead}, [hs.Event("end", lambda s: s.t - 9.0, rising=True)])
    start = {"at.Tx": 0.0, "at.Tz": -1.0, "at.Tx.v": 8.0}
    run = hs.simulate(hybrid, 0.5, start)
    assert run.success and run["at.Tz"].max() > 0.9
    native = hs.compile(hs.stepper(hybrid, 1e-3, start=start, outputs=["status"]))
    state = native()
    for _ in range(499):
        state = native(state.q, state.v, state.z, state.t)
    high = run.t[np.argmax(run["at.Tz"] > 0.0)]
    assert state.status == 8.0 and abs(state.z[-3] - high) < 2e-3
    assert hybrid.ending(state.z).startswith("singular: t = 0.")


def test_steps_lead_by_what_leads_at_other_poses_too():
    """A long leg on the ground: its angle has the largest pivot at first, and none when it stands upright."""
    leg = hs.Model(
        hs.Body("leg", mass=1.0, inertia=(100.0,) * 3, frames={"foot": (0.0, 0.0, -30.0)}),
        hs.Chain("at", hs.WORLD, "leg", "Tx Tz Ry"),
    )
    pinned = leg.pinned("leg.foot")
    hybrid = hs.Hybrid({"on": pinned}, [hs.Event("end", lambda s: s.t - 99.0, rising=True)])
    a, w = 1.2, -1.2
    start = {"at.Ry": a, "at.Tx": 30 * np.sin(a), "at.Tz": 30 * np.cos(a)}
    start |= {"at.Ry.v": w, "at.Tx.v": 30 * np.cos(a) * w, "at.Tz.v": -30 * np.sin(a) * w}
    run = hs.simulate(hybrid, 2.0, start)
    assert run["at.Ry"].min() < -0.3  # it has come over the top
    native = hs.compile(hs.stepper(hybrid, 2e-3, start=start, outputs=["status"]))
    state = native()
    for _ in range(999):
        state = native(state.q, state.v, state.z, state.t)
    assert state.status == 0.0
    assert np.allclose(state.q, [run[n][-1] for n in hybrid.coordinates], atol=1e-6)
