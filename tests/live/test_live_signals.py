"""What goes in and comes out of a page by name: inputs stay inputs, and a signal is the number it says."""

import numpy as np
import pytest
from page_worker import needs_node, node
from shared_models import library

import hapsis as hs

DT = 1e-3
RECORD = """
const s = await Simulation.create(content);
const rows = [];
content.inputs.forEach((input, k) => s.give(input.port, content.efforts[k]));
for (let k = 0; k < 40; k++) { s.tick(); rows.push(s.time, ...s.record()); }
writeFileSync("recording.npz", npz(content, { rows: Float64Array.from(rows), gap: 0, full: false }));
show(s.stepCall.inputs.map((x) => [...x]));
"""


def arms(*names):
    """A chain of rods on these hinges."""
    rods = [hs.Rod(f"rod{k}", length=0.4, mass=1.0) for k in range(len(names))]
    first = [hs.WORLD, *(f"rod{k}.end" for k in range(len(names) - 1))]
    hinges = [hs.Revolute(n, a, b.name, axis="y") for n, a, b in zip(names, first, rods, strict=True)]
    return hs.Model(*rods, *hinges, poses={"start": dict.fromkeys(names, 0.3)})


def held_box():
    box = hs.Body.box("box", (0.2, 0.1, 0.3), mass=2.0)
    rubber = hs.Bushing("rubber", hs.WORLD, "box", stiffness=(3, 4, 5, 300, 400, 500), damping=(0.1,) * 6)
    return hs.Model(box, hs.Free("free", hs.WORLD, "box"), rubber)


CASES = {
    "one name as effort and as coordinate": (arms("a", "b"), ["a"], ["a", "b.v", "energy"]),
    "all of them": (arms("a", "b"), ["b", "a"], ["b", "a", "a.v", "b.v", "a.a", "energy.before"]),
    "names with points": (arms("x.v", "x.effort"), ["x.v"], ["x.v", "x.v.v"]),
    "a joint z beside no state z": (arms("z", "b"), ["z"], ["z"]),
    "a loop": (library.slider_crank(), ["crank"], ["crank", "slider", "crank.v"]),
    "vectors": (held_box(), [], ["rubber.force", "rubber.moment", "free.vx"]),
}


@needs_node
@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_signals_and_inputs_are_those_of_the_step_whatever_they_are_called(case, tmp_path):
    model, inputs, outputs = case
    efforts = [0.3 + 0.2 * k for k in range(len(inputs))]
    content = hs.share(model, inputs=inputs, outputs=outputs).content | {"efforts": efforts}
    assert [entry["name"] for entry in content["inputs"]] == inputs
    ports = node(tmp_path, content, RECORD)
    step = hs.compile(hs.stepper(model, DT, inputs=inputs, outputs=outputs), contract=False)
    count = len(step.function.inputs) - len(inputs)
    state = [np.asarray(port.stand_in, float) for port in step.function.inputs[:count]]
    rows: list[list[np.ndarray]] = []
    for _ in range(40):
        values = step(*state, *efforts)
        state, measured = [*values[:count]], [np.ravel(x) for x in values[count:]]
        rows.append([*measured, np.ravel(state[0]), np.ravel(state[1])])
    assert [x[0] for x in ports[count:]] == efforts
    result = hs.load(tmp_path / "recording.npz")
    assert len(set(result.names)) == len(result.names)
    for k, name in enumerate(outputs):
        parts = [name] if name in result.names else [f"{name}.{axis}" for axis in "xyz"]
        expected = np.array([row[k] for row in rows])
        assert np.allclose(np.array([result[n] for n in parts]).T, expected, rtol=1e-9, atol=1e-12), name
        assert all(result.units.get(n) for n in parts)
    for place, names in ((-2, model.coordinates), (-1, model.speeds)):
        for k, name in enumerate(names):
            assert np.allclose(result[name], [row[place][k] for row in rows], rtol=1e-9, atol=1e-12), name


@pytest.mark.parametrize("name", ["q", "v"])
@pytest.mark.parametrize("what", ["inputs", "outputs"])
def test_a_name_that_a_state_of_the_step_has_is_refused(what, name):
    """An output "q" of two joints took the place of the coordinates in the step."""
    model = arms(name, "b")
    for make in (lambda **o: hs.stepper(model, DT, **o), lambda **o: hs.share(model, **o)):
        with pytest.raises(hs.ModelError, match=f'{what} name "{name}", which is a state of every step'):
            make(**{what: [name]})
    assert hs.share(model).content["states"] == 3
