"""WebAssembly gives the interpreter's bits, whatever runs it; here Node does."""

import json
import shutil
import subprocess

import numpy as np
import pytest
from children import PATIENCE
from samples import sample
from shared_models import library
from strategies import inputs_for
from test_c import interpreted, mixture, same_bits, wild

import hapsis as hs
from hapsis.compiler.backends.wasm import wasm_bytes
from hapsis.errors import CompileError

NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="Node is not installed")
# numbers travel as texts of their bits
RUN = """
import { load } from "./model.mjs";
import { readFileSync } from "node:fs";
const model = await load();
const calls = JSON.parse(readFileSync("calls.json"));
const numbers = (hex) => new Float64Array(Uint8Array.from(Buffer.from(hex, "hex")).buffer);
const results = calls.map(({ name, inputs, p }) => {
  model.p.set(numbers(p));
  const outputs = Object.values(model[name](...inputs.map(numbers)));
  return outputs.map((x) => Buffer.from(x.buffer, x.byteOffset, x.byteLength).toString("hex")).join("");
});
console.log(JSON.stringify(results));
"""


def node(folder, *arguments):
    done = subprocess.run(
        [NODE, *arguments], cwd=folder, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def ran(folder, functions, inputs):
    """What Node makes of the columns of each Function's flat inputs: its outputs as columns."""
    hs.export(folder / "model", functions, "wasm")
    shared = hs.source(functions, "json", name="model")
    entries = json.loads(shared)["functions"]
    n_p = len(json.loads(shared)["parameters"])
    calls = []
    for function, entry, flat in zip(functions, entries, inputs, strict=True):
        sizes = [len(port.refs) for port in function.inputs]
        for column in flat.T:
            *given, own = np.split(np.ascontiguousarray(column), np.cumsum(sizes))
            p = np.zeros(n_p)
            p[entry["parameters"]] = own
            texts = [x.tobytes().hex() for x in given]
            calls.append({"name": entry["identifier"], "inputs": texts, "p": p.tobytes().hex()})
    (folder / "calls.json").write_text(json.dumps(calls))
    (folder / "run.mjs").write_text(RUN)
    made = iter(json.loads(node(folder, "run.mjs")))
    return [np.array([np.frombuffer(bytes.fromhex(next(made))) for _ in x.T]).T for x in inputs]


def agree(folder, functions, inputs):
    made = ran(folder, functions, inputs)
    for k, (function, x, y) in enumerate(zip(functions, inputs, made, strict=True)):
        assert same_bits(interpreted(function, x), np.ascontiguousarray(y)), k


@pytest.mark.slow
@needs_node
def test_random_functions_agree_in_every_bit(tmp_path):
    """All operations and blocks, on usual numbers and on zeros, infinities and NaNs."""
    functions = mixture(sample(150, 500), 10)
    assert sum(bool(f.graph.blocks) for f in functions) > len(functions) / 5
    agree(tmp_path, functions, [wild(f, k) for k, f in enumerate(functions)])


@pytest.mark.slow
@needs_node
def test_long_functions_agree_in_every_bit(tmp_path):
    """Several modules, and more values than registers."""
    functions = mixture(3, 4000)
    agree(tmp_path, functions, [inputs_for(f, k) for k, f in enumerate(functions)])


@pytest.mark.slow
@needs_node
@pytest.mark.parametrize("name", sample(["slider_crank", "double_wishbone"], hs.library.MODELS))
def test_steps_of_the_library_agree_in_every_bit(name, tmp_path):
    step = hs.stepper(getattr(library, name)(), 1e-3 if name != "governor" else 2.5e-4)
    start = [np.ravel(port.stand_in) for port in step.inputs]
    column = np.concatenate([*start, [*step.parameters.values()]])[:, None]
    for _ in range(3):  # each from the state behind the one before
        agree(tmp_path, [step], [column])
        column[: step.n_out] = interpreted(step, column)


@needs_node
def test_exports_are_called_from_javascript(tmp_path):
    model = hs.Model(hs.Rod("link", length=0.5, mass=2.0), hs.Revolute("hinge", hs.WORLD, "link", axis="y"))
    paths = hs.export(tmp_path / "arm.wasm", [hs.inverse_dynamics(model), hs.mass_matrix(model)], "wasm")
    assert [path.name for path in paths] == ["arm.wasm", "arm.mjs"]
    (tmp_path / "use.mjs").write_text("""
        import { load } from "./arm.mjs";
        const arm = await load();
        const before = arm.arm_inverse_dynamics([0.3], [1], [2]).tau[0];
        arm.p[arm.places["link.mass"]] *= 2;
        const after = arm.arm_inverse_dynamics([0.3], [1], [2]).tau[0];
        const said = [];
        const bare = ["2", ["2"], null, undefined, { length: 1 }, [[2]], [,], [2n], new Set([2])];
        for (const wrong of [[[0.3], [1]], [[0.3], [1], [2, 3]], ...bare.map((x) => [[0.3], [1], x])]) {
          try { arm.arm_inverse_dynamics(...wrong); } catch (error) { said.push(error.message); }
        }
        console.log(JSON.stringify({ before, after, said }));
    """)
    result = json.loads(node(tmp_path, "use.mjs"))
    assert result["before"] == hs.compile(hs.inverse_dynamics(model), "python")([0.3], [1], [2])[0]
    assert result["after"] != result["before"]
    assert result["said"] == [
        "arm_inverse_dynamics takes q, v, a",
        "arm_inverse_dynamics: a has 1 numbers, not 2",
        *["arm_inverse_dynamics: a must be numbers, as a flat array"] * 9,
    ]


@needs_node
@pytest.mark.parametrize("name", ["slider_crank", "three_bar", "governor"])
def test_steps_start_in_javascript_where_they_start_in_python(name, tmp_path):
    """Inputs that are left out have their default, in every bit; too many of them are refused."""
    step = hs.stepper(getattr(library, name)(), 2.5e-4)
    hs.export(tmp_path / "m", [step], "wasm")
    (tmp_path / "use.mjs").write_text("""
        import { load } from "./m.mjs";
        const m = await load();
        const first = m.m_step(), second = m.m_step(first.q_out, undefined, first.t_out);
        let said = "";
        try { m.m_step(1, 2, 3, 4); } catch (error) { said = error.message; }
        console.log(JSON.stringify({ first: [...first.q_out], second: [...second.q_out], said }));
    """)
    result = json.loads(node(tmp_path, "use.mjs"))
    call = hs.compile(step, "python")
    first = call()
    assert result["first"] == first.q.tolist()
    assert result["second"] == call(first.q, t=first.t).q.tolist()
    assert result["said"] == "m_step takes q, v, t"


def test_errors():
    with pytest.raises(CompileError, match=r"WebAssembly is no text; .*hs\.export|hs\.export"):
        hs.source(mixture(1, 3), "wasm")
    with pytest.raises(CompileError, match="f32 for c and simulink"):
        hs.export("x", mixture(1, 3), "wasm", precision="f32")


@needs_node
def test_a_function_with_more_arguments_than_engines_take_is_refused(tmp_path):
    """No module is written that nothing can load."""

    def total(count):
        x = [hs.symbol(f"x{k}") for k in range(count)]
        return hs.Function("total", {f"x{k}": each for k, each in enumerate(x)}, {"y": sum(x[1:], x[0])})

    agree(tmp_path, [total(999)], [inputs_for(total(999), 1)])
    with pytest.raises(CompileError, match='"total" has 1001 inputs and outputs; expected at most 1000'):
        hs.export(tmp_path / "many", total(1000), "wasm")


@pytest.mark.parametrize("value", [0, 1, 63, 64, 127, 128, 300, 2**20, 2**31 - 1])
def test_numbers_of_variable_length(value):
    for width in (0, 5):
        assert wasm_bytes.Reader(wasm_bytes.unsigned(value, width)).unsigned() == value
        for x in (value, -value):
            assert wasm_bytes.Reader(wasm_bytes.signed(x, width)).signed() == x
    assert len(wasm_bytes.unsigned(value, 5)) == len(wasm_bytes.signed(value, 5)) == 5
