"""WebAssembly gives the interpreter's bits in a browser too."""

import base64
import json

import numpy as np
import pytest
from samples import sample
from shared_models import library
from test_c import interpreted, mixture, same_bits, wild

import hapsis as hs

pytestmark = pytest.mark.slow
# numbers travel as base64 of their bits
RUN = """
const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
const numbers = (text) => new Float64Array(bytes(text).buffer);
const text = (x) => btoa(Array.from(new Uint8Array(x.buffer), (byte) => String.fromCharCode(byte)).join(""));
async function results() {
  const { calls, wasm } = JSON.parse(document.getElementById("data").textContent);
  const model = await load(bytes(wasm));
  return calls.map(({ name, inputs, p }) => {
    model.p.set(numbers(p));
    return Object.values(model[name](...inputs.map(numbers))).map(text);
  });
}
"""


def agree(window, folder, functions, inputs):
    """Every column of each Function's flat inputs, against the interpreter."""
    wasm, module = hs.export(folder / "model", functions, "wasm")
    shared = json.loads(hs.source(functions, "json", name="model"))
    calls = []
    for function, entry, flat in zip(functions, shared["functions"], inputs, strict=True):
        sizes = [len(port.refs) for port in function.inputs]
        for column in flat.T:
            *given, own = np.split(np.ascontiguousarray(column), np.cumsum(sizes))
            p = np.zeros(len(shared["parameters"]))
            p[entry["parameters"]] = own
            texts = [base64.b64encode(x.tobytes()).decode() for x in given]
            calls.append(
                {"name": entry["identifier"], "inputs": texts, "p": base64.b64encode(p.tobytes()).decode()}
            )
    data = json.dumps({"calls": calls, "wasm": base64.b64encode(wasm.read_bytes()).decode()})
    script = module.read_text().replace("export ", "").replace("import.meta.url", "location.href")
    (folder / "page.html").write_text(
        f'<!DOCTYPE html><script type="text/plain" id="data">{data}</script><script>{script}{RUN}</script>'
    )
    page = window.open(folder / "page.html")
    rows = iter(page.value("results()"))
    page.close()
    for k, (function, flat) in enumerate(zip(functions, inputs, strict=True)):
        texts = [next(rows) for _ in flat.T]
        outputs = [np.concatenate([np.frombuffer(base64.b64decode(x)) for x in row]) for row in texts]
        assert same_bits(interpreted(function, flat), np.ascontiguousarray(np.array(outputs).T)), k


def test_random_functions_agree_in_every_bit(window, tmp_path):
    functions = mixture(sample(40, 500), 10)
    agree(window, tmp_path, functions, [wild(f, k) for k, f in enumerate(functions)])


@pytest.mark.parametrize("name", sample(["scissor_lift"], hs.library.MODELS))
def test_steps_of_the_library_agree_in_every_bit(window, name, tmp_path):
    step = hs.stepper(getattr(library, name)(), 1e-3 if name != "governor" else 2.5e-4)
    start = [np.ravel(port.stand_in) for port in step.inputs]
    column = np.concatenate([*start, [*step.parameters.values()]])[:, None]
    states = [column]
    for _ in range(2):  # each the state behind the one before
        column = column.copy()
        column[: step.n_out] = interpreted(step, column)
        states.append(column)
    agree(window, tmp_path, [step], [np.hstack(states)])
