"""What rolls, in pages: steps with rows of speeds, which go on where the first coordinates no longer lead."""

import numpy as np
import pytest
from page_worker import needs_node, node
from shared_models import library

import hapsis as hs
from hapsis.live.live_model import coupling, live_content

TEXT = """
const s = await Simulation.create(content);
const ways = new Set();
for (let k = 0; k < %d && !s.trouble; k++) {
  s.tick();
  if (k %% 16 === 0) s.check();
  ways.add(s.way);
}
show({ q: [...s.stepCall.inputs[0]], trouble: s.trouble, ways: ways.size });
"""


@needs_node
@pytest.mark.parametrize(("name", "ticks"), [("knife_edge_sled", 5000), ("rolling_disc", 3000)])
def test_a_page_goes_as_a_run_does(tmp_path, name, ticks):
    """The sled turns by more than half a turn: where it heads along y another coordinate must lead."""
    model = getattr(library, name)()
    ran = node(tmp_path, live_content(model, 1e-3, coupling(model)) | {"size": 2.0}, TEXT % ticks)
    result = hs.simulate(model, until=ticks * 1e-3, tolerance=1e-10)
    expected = np.array([result[n][-1] for n in model.coordinates])
    assert not ran["trouble"] and np.abs(np.array(ran["q"]) - expected).max() < 1e-5
    assert (ran["ways"] > 1) == (name == "knife_edge_sled")
