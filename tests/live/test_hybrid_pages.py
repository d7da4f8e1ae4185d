"""Pages of hybrids: events happen in the page as they do in a run."""

import numpy as np
import pytest
from page_worker import needs_node, node

import hapsis as hs
from hapsis.live.live_model import coupling, live_content


def ball(restitution=0.7):
    free = hs.Model(
        hs.Body("ball", mass=0.2, inertia=(1e-4, 1e-4, 1e-4), shapes=(hs.Sphere(0.05),)),
        hs.Prismatic("height", hs.WORLD, "ball", axis="z"),
        poses={"start": {"height": 0.5}},
        page=hs.Page(outputs=["height", "phase"], follow=False),
    )
    strike = hs.impact("ball", restitution=restitution, rest="rest")
    bounce = hs.Event("bounce", when=hs.height("ball"), falling=True, during="flight", then=[strike])
    return hs.Hybrid(phases={"flight": free, "rest": free.pinned("ball")}, events=[bounce])


@needs_node
def test_ticks_of_a_page_are_steps_of_the_hybrid_bit_for_bit(tmp_path):
    hybrid = ball()
    content = live_content(hybrid.model, 1e-3, coupling(hybrid.model), hybrid=hybrid)
    states = node(
        tmp_path,
        content,
        "const s = await Simulation.create(content); for (let k = 0; k < 1200; k++) s.tick();"
        "show(s.stepCall.inputs.slice(0, 4).map((x) => Array.from(x)));",
    )
    native = hs.compile(hs.stepper(hybrid, 1e-3, outputs=["energy"]), contract=False)
    q, v, z, t = np.array([0.5]), np.zeros(1), np.zeros(4), 0.0
    for _ in range(1200):
        row = native(q=q, v=v, z=z, t=t)
        q, v, z, t = row.q, row.v, row.z, float(row.t)
    assert states == [list(q), list(v), list(z), [t]]


def test_a_ball_bounces_in_a_page_and_comes_to_rest(window, tmp_path):
    path = tmp_path / "ball.html"
    hs.share(ball(), path)
    page = window.open(path)
    page.until("window.hapsis && window.hapsis.last('phase') === 1")
    assert abs(page.value("window.hapsis.last('height')")) < 1e-6
    page.click("#reset")
    page.until("window.hapsis.last('phase') === 0")
    assert page.complaints() == []
    page.close()


def test_what_pages_of_hybrids_do_not_have_is_said():
    with pytest.raises(hs.ModelError, match="no finger"):
        hs.share(ball(), press=hs.Press("ball"))
    assert hs.share(hs.stepper(ball(), 1e-3)).content["dt"] == 1e-3
