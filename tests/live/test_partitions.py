"""Pages of loops have a step for each partition they need: all of them go on alike, and pass dead points."""

import numpy as np
import pytest
from page_worker import needs_node, node
from shared_models import library

import hapsis as hs
from hapsis.live.live_model import coupling, live_content
from hapsis.motion.analysis.assembly.loop_numbers import Loops
from hapsis.motion.analysis.assembly.reduce import best_partition
from hapsis.motion.analysis.assembly.several_partitions import partitions
from hapsis.motion.simulate.stepper import steps

MANY = ("bricard", "stewart")  # of the library, which need several


@pytest.mark.parametrize("name", [*MANY, "slider_crank", "redundant_four_bar"])
def test_the_first_is_that_of_the_start_and_the_others_lead_elsewhere(name):
    model = getattr(library, name)()
    q, loops = hs.assemble(model).q, Loops(model)
    first = best_partition(loops, q, preferred=model.independent)
    chosen = partitions(loops, q, first)
    assert chosen[0] == first and len(set(chosen)) == len(chosen) <= 4
    assert (len(chosen) > 1) == (name in MANY)
    assert all(len(part.rows) == len(first.rows) for part in chosen)


@pytest.mark.slow
@pytest.mark.parametrize("name", MANY)
def test_every_step_goes_on_alike(name):
    """From states of the first step, each step gives the same next state, to the error of the method."""
    model = getattr(library, name)()
    written = steps(model, 1e-3, partitions)
    assert len(written) > 1
    native = [hs.compile(step) for step in written]
    state = [np.ravel(port.stand_in) for port in written[0].inputs]
    random = np.random.default_rng(1)
    loops = Loops(model)
    J = loops.jacobian(state[0])
    speeds = random.normal(size=len(model.speeds))
    state[1] = speeds - np.linalg.lstsq(J, J @ speeds, rcond=1e-9)[0]
    for _ in range(20):
        results = [step(*state) for step in native]
        for other in results[1:]:
            assert np.abs(np.concatenate(other[:2]) - np.concatenate(results[0][:2])).max() < 1e-6
        state = [np.ravel(x) for x in results[0][: len(state)]]


@needs_node
@pytest.mark.slow
def test_a_mechanism_that_falls_past_where_its_first_coordinates_lead(tmp_path):
    """The platform of Stewart on loose legs: the step by the legs alone ends after 0.3 s."""
    model = library.stewart()
    alone = hs.compile(hs.stepper(model, 1e-3))
    state = [np.ravel(port.stand_in) for port in hs.stepper(model, 1e-3).inputs]
    for _ in range(600):
        state = [np.ravel(x) for x in alone(*state)][: len(state)]
    assert not np.isfinite(state[0]).all()
    content = live_content(model, 1e-3, coupling(model)) | {"size": 2.0}
    text = """
    const s = await Simulation.create(content);
    const energy = content.signals.findIndex(({ name }) => name === "energy");
    const ways = new Set(), energies = [];
    for (let k = 0; k < 600 && !s.trouble; k++) {
      s.tick();
      if (k % 16 === 0) s.check();
      ways.add(s.way);
      energies.push(s.signals()[energy]);
    }
    show({ trouble: s.trouble, ticks: s.ticks, ways: [...ways], energies });
    """
    ran = node(tmp_path, content, text)
    assert ran["trouble"] == "" and ran["ticks"] == 600 and len(ran["ways"]) > 1
    assert np.ptp(ran["energies"]) < 1e-3 * np.abs(ran["energies"]).max()
