"""Which coordinates lead: by hand, and on mechanisms whose redundant rows are known."""

import analysed
import numpy as np
import pytest
from shared_models import library

import hapsis as hs
from hapsis.motion.analysis.assembly.partition import partition


def test_four_bar():
    found = partition(analysed.four_bar())
    assert found.independent == ("A",) and set(found.dependent) == {"B", "D"}
    assert found.driven == () and len(found.rows) == 2 and found.redundant == ()
    assert 0.0 < found.pivot <= 1.0 and found.condition >= 1.0
    text = str(found)
    assert text.splitlines()[0] == "independent  A" and "condition number" in text
    other = partition(analysed.four_bar(), independent=("D",))
    assert other.independent == ("D",) and set(other.dependent) == {"A", "B"}


def test_the_condition_is_that_of_the_rows_over_what_follows():
    model = analysed.four_bar()
    state = hs.assemble(model, {"A": 0.8})
    found = partition(model, state)
    rows = hs.compile(hs.constraints(model))(state.q, state.v)
    J = rows.J[:, [model.coordinates.index(n) for n in found.dependent]]
    J = J[np.abs(J).max(axis=1) > 1e-12]
    assert found.condition == pytest.approx(np.linalg.cond(J), rel=1e-9)


def test_redundant_rows_are_told_in_words():
    model = library.redundant_four_bar()
    found, report = partition(model), hs.assemble(model).report
    assert len(found.redundant) == len(report.redundant) == 1
    assert "redundant" in str(found) and " of " in str(found).split("redundant")[1]


def test_driven_coordinates_neither_lead_nor_follow():
    model = analysed.four_bar() + hs.Drive("motor", "A", position=0.4)
    found = partition(model)
    assert found.driven == ("A",) and found.independent == ()


def test_trees_have_nothing_that_follows():
    found = partition(analysed.floating())
    assert found.dependent == () and found.independent[0] == "base.wx" and found.condition == 1.0


def test_what_cannot_lead_is_refused():
    model = analysed.four_bar()
    # stretched: crank and coupler in line, so that the rocker cannot lead
    reach = np.arccos((0.45**2 + 0.7**2 - 0.4**2) / (2 * 0.45 * 0.7))
    state = hs.assemble(model, {"A": float(reach)}, near={"B": 0.0})
    assert abs(state["B"]) < 1e-6
    with pytest.raises(hs.SolveError, match="D cannot be independent"):
        partition(model, state, independent=("D",))
    assert partition(model, state).independent == ("A",)
    with pytest.raises(hs.ModelError, match="that can be independent"):
        partition(model, state, independent=("E",))
    with pytest.raises(hs.SolveError, match="open by"):
        partition(model, [0.3, 0.1, 0.1])
