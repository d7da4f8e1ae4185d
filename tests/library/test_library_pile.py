"""The pile: a pyramid that stands, and balls that lie beside it."""

import numpy as np
import pytest

import hapsis as hs
from hapsis import library


def test_the_pyramid_stands_and_balls_lie_still():
    """Heights are those of boxes on boxes; the ground carries the weight of all three."""
    model = library.pile(rows=2, balls=2)
    result = hs.simulate(model, until=1.5, method="contact", step=1e-3)
    heights = {"box1": 0.05, "box2": 0.05, "box3": 0.15, "ball1": 0.05, "ball2": 0.05}
    for name, height in heights.items():
        assert result[f"{name}_free.z"][-1] == pytest.approx(height, abs=1e-3)
        assert abs(result[f"{name}_free.y"][-1] - result[f"{name}_free.y"][0]) < 5e-3
    carried = [result[f"{name}_ground.force"][-1] for name in ("box1", "box2", "box3")]
    assert carried[2] == 0.0 and sum(carried) == pytest.approx(9.81 * 3 * 0.4, rel=1e-3)


def test_it_is_data_with_a_page_that_solves_contacts(tmp_path):
    model = library.pile()
    assert model.warnings == () and len(model.bodies) == 9  # six boxes, three balls
    hs.save(model, tmp_path / "pile.yaml")
    loaded = hs.load(tmp_path / "pile.yaml")
    assert loaded == model == library.pile() and loaded.page.method == "contact"
    part = model.prefixed("left")
    assert np.array_equal([*part.pose("start").values()], [*model.pose("start").values()])


@pytest.mark.parametrize(
    "options", [{"rows": 0}, {"rows": 2.0}, {"balls": -1}, {"balls": 8}, {"rows": 10**6}]
)
def test_what_has_no_room_is_refused(options):
    with pytest.raises(hs.ModelError, match="expected a whole number"):
        library.pile(**options)
