"""Native code with records and Kernels gives the same bits in WebAssembly, which Node runs here."""

import json
import shutil
import subprocess

import numpy as np
import pytest
from children import PATIENCE

import hapsis as hs
from hapsis.compiler.backends.wasm.wasm import wasm_module
from hapsis.compiler.native import (
    Array,
    Kernel,
    Kernels,
    at,
    bound,
    constant,
    later,
    native,
    power,
    record,
    sized,
)
from hapsis.compiler.native.wasm_memory import Image, helper, kernels_of
from hapsis.compiler.passes.parts import hoisted
from hapsis.errors import CompileError

NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="Node is not installed")
RUN = """
const { readFileSync } = require("node:fs");
const { memory, address, calls } = JSON.parse(readFileSync("calls.json"));
WebAssembly.instantiate(readFileSync("module.wasm"), {}).then(({ instance }) => {
  const own = instance.exports, bytes = Buffer.from(memory, "hex");
  own.memory.grow(2);
  new Uint8Array(own.memory.buffer).set(bytes, address);
  const free = address + bytes.length;
  const shown = calls.map((hex) => {
    const given = Buffer.from(hex, "hex");
    new Uint8Array(own.memory.buffer).set(given, free);
    const after = free + given.length;
    try { own.run(free, after, address); } catch (problem) { return problem.name; }
    return Buffer.from(own.memory.buffer, after, given.length).toString("hex");
  });
  console.log(JSON.stringify(shown));
});
"""
COUNT = 5


@record
class Store:
    """What is remembered; `window` is a part of somebody's array."""

    count: int = constant()
    sums: Array = sized("count")
    window: Array = later()


@record
class Machine:
    """Kernels, alone and several, and a record that is elsewhere."""

    store: Store
    f: Kernel
    several: Kernels = later()
    missing: Kernel = later()
    broken: bool = constant(False)
    calls: int = 0
    scale: float = 1.0


@native
def run(y: Array, out: Array, machine: Machine) -> None:
    """Two kinds of calls, memory from call to call, and a power."""
    store = machine.store
    machine.f(y, out)
    for k in range(store.count):
        store.sums[k] += out[k] * machine.scale
    for k in range(2):
        machine.several[k](store.sums, out)
        for j in range(store.count):
            store.sums[j] = 0.5 * store.sums[j] + out[j]
    tail = at(store.window, 1)
    for j in range(store.count):
        out[j] = store.sums[j] + power(abs(out[j]), 0.3) + tail[0]
    store.window[0] += 1.0
    machine.calls += 1
    if machine.broken:
        machine.missing(y, out)


def machine(seed, broken=False):
    """Functions with parameters, with and without a preparation, which share one input."""
    rng = np.random.default_rng(seed)
    shared, kernels = rng.normal(size=3), []
    for k in range(3):
        y, u = hs.symbols("y", COUNT), hs.symbols("u", 3)
        a, b = hs.parameter(f"a{k}", 0.7 + k), hs.parameter(f"b{k}", 0.2)
        terms = [hs.sin(y[j] * a) + u[j % 3] * y[(j + k) % COUNT] + b for j in range(COUNT)]
        values = [term * hs.exp(-a * b) for term in terms] if k else terms
        f = hs.Function(f"f{k}", {"y": y, "u": u}, {"x": values})
        kernels.append(bound(hs.compile(f, contract=False), vary=("y", "x"), u=shared))
    window = rng.normal(size=4)[1:]
    store = Store(count=COUNT, window=window)
    return Machine(store=store, f=kernels[0], several=kernels[1:], broken=broken, scale=rng.normal())


def module_and_image(made):
    kernels = kernels_of(made)
    module = wasm_module([], {"run": helper(run)}, [hoisted(kernel.function)[1] for kernel in kernels])
    return module, Image(made, module.heap, dict(zip(kernels, module.pointers, strict=True)))


def ran(folder, module, image, rows):
    """What each call of `run` gives, one after the other, as texts of bits."""
    (folder / "module.wasm").write_bytes(module.bytes)
    calls = [row.tobytes().hex() for row in rows]
    asked = {"memory": image.content.hex(), "address": module.heap, "calls": calls}
    (folder / "calls.json").write_text(json.dumps(asked))
    (folder / "run.cjs").write_text(RUN)
    done = subprocess.run(
        [NODE, "run.cjs"], cwd=folder, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@needs_node
@pytest.mark.parametrize("seed", range(3))
def test_records_and_kernels_give_the_same_bits(seed, tmp_path):
    made, rows = machine(seed), np.random.default_rng(seed + 10).normal(size=(20, COUNT))
    assert [hoisted(kernel.function)[0] is None for kernel in kernels_of(made)] == [True, False, False]
    there = ran(tmp_path, *module_and_image(made), rows)  # the image is made before the first native call
    out = np.zeros(COUNT)
    for row, hex_bits in zip(rows, there, strict=True):
        run(row, out, made)
        assert out.tobytes().hex() == hex_bits
    assert made.calls == 20 and made.store.window[0] > 15.0


@needs_node
def test_a_call_of_a_kernel_that_was_never_given_is_an_error(tmp_path):
    assert ran(tmp_path, *module_and_image(machine(0, broken=True)), np.ones((1, COUNT))) == ["RuntimeError"]


def test_arrays_that_overlap_stay_together():
    """Two views of one array, and a record in the memory of which another one's array lies."""
    whole = np.arange(20.0)
    outer = machine(0)
    outer.store.window = whole[2:9]
    outer.f.fixed["u"][:] = 0.0
    inner = Store(count=1, window=whole[5:12])
    pair = Pair(first=outer.store, second=inner, third=inner.sums)
    image = Image(pair, 4096, {})
    start, part = image.address(whole[2:9]), image.address(whole[5:12])
    assert part - start == 3 * 8 and image.address(whole[4:]) == start + 16
    values = np.frombuffer(image.content, offset=start - 4096, count=10)
    assert (values == whole[2:12]).all()
    assert all(at % 64 == 0 for at in (start, image.address(outer.store.sums), image.address(inner.sums)))


@record
class Pair:
    first: Store
    second: Store
    third: Array = later()


def test_what_webassembly_cannot_call_is_refused():
    @record
    class Caller:
        f: Kernel

    made = machine(0)
    with pytest.raises(CompileError, match=r"the module has no <kernel f0"):
        Image(made, 4096, {})
    caller = Caller(f=run.bound(vary=("y", "out"), machine=made))
    with pytest.raises(CompileError, match=r"Caller.f is no Kernel of a Function"):
        kernels_of(caller)
