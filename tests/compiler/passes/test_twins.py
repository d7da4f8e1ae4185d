"""Twins in one vector instruction: the same bits as without, wherever packs are put, and what is found."""

import sys
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import functions, inputs_for

import hapsis as hs
from hapsis.compiler.backends.interpreter import evaluate
from hapsis.compiler.backends.llvm import registers
from hapsis.compiler.backends.llvm.lane_units import agreed, units
from hapsis.compiler.ir.graph.ops import OUT, SUB
from hapsis.compiler.passes import twin_choice, twin_search
from hapsis.compiler.passes.packs import NONE, own_nodes
from hapsis.compiler.passes.parts import hoisted
from hapsis.compiler.passes.pipeline import prepared
from hapsis.compiler.passes.twins import twins

sys.path.append(str(Path(__file__).parents[2] / "mechanics"))
import golden_models


@contextmanager
def packs_everywhere():
    """Packs wherever they can be, whatever they cost; nothing of it is kept on disk."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HAPSIS_CACHE", "")
        patch.setattr(twin_search, "FEWEST", 1)
        patch.setattr(twin_search, "DEEP", 1)
        patch.setattr(twin_choice, "LEAST", -1e9)
        patch.setattr(twin_choice, "GAIN", -1e9)
        yield


def several(function, count, mirrored):
    """A Function that applies another one to several inputs, and sums the results."""
    inputs, outputs, total = {}, {}, 0.0
    for k in range(count):
        own = [
            hs.symbols(f"{p.name}{k}", *p.shape) if p.shape else hs.symbol(f"{p.name}{k}")
            for p in function.inputs
        ]
        for port, symbol in zip(function.inputs, own, strict=True):
            inputs[f"{port.name}{k}"] = symbol
        sign = -1.0 if mirrored and k % 2 else 1.0
        results = function(
            *[sign * x if port.name == "q" else x for port, x in zip(function.inputs, own, strict=True)]
        )
        for n, value in enumerate(results if isinstance(results, tuple) else (results,)):
            outputs[f"y{n}.{k}"] = value
            total = total + sum(np.ravel(value))
    return hs.Function("several", inputs, {**outputs, "total": total})


def test_the_lanes_of_a_leg():
    q = hs.symbols("q", 3)
    base = hs.symbol("w")
    y = []
    for k in range(4):
        leg = hs.symbols(f"q{k}", 3)
        x = hs.sin(leg[0]) * (base + 0.3 * k + 1.0) + hs.cos(leg[1]) * leg[2]
        for _ in range(8):
            x = x * leg[0] + hs.sin(leg[1]) * x * x - leg[2]
        y.append((leg, x))
    f = hs.Function(
        "legs", {"w": base, **{f"q{k}": leg for k, (leg, _) in enumerate(y)}}, {"y": [x for _, x in y]}
    )
    del q
    packs = twins(prepared(f), 4)
    assert packs.saved > 0.3 and {len(row) for row in packs.rows} == {4}
    assert len(twins(prepared(f), 2).rows) > len(packs.rows)
    assert twins(prepared(f), 1) is NONE
    x = [np.array(0.3), *np.random.default_rng(1).normal(size=(4, 3)) * 0.3]
    exact = np.asarray(hs.compile(f, contract=False, wait=True)(*x))
    assert exact.tobytes() == np.asarray(hs.compile(f, backend="python")(*x)).tobytes()


@settings(max_examples=40, deadline=None)
@given(functions(max_nodes=20), st.integers(2, 9), st.booleans())
def test_the_same_bits_wherever_packs_are(function, count, mirrored):
    """Without fused products those of the interpreter; with them those of a batch, which has no packs."""
    f = several(function, count, mirrored)
    x = inputs_for(f, batch=3)
    expected = evaluate(prepared(f), x)
    rows = split(f, x.T)
    with packs_everywhere():
        exact, fused = hs.compile(f, contract=False, wait=True), hs.compile(f, wait=True)
        whole = fused(*rows)
        for k in range(3):
            row = [part[k] for part in rows]
            np.testing.assert_array_equal(flat(exact(*row)), expected[:, k])
            np.testing.assert_array_equal(flat(fused(*row)), flat(whole, k))


@settings(max_examples=40, deadline=None)
@given(functions(max_nodes=30), st.integers(2, 5))
def test_every_unit_is_computed_once_after_its_operands(function, count):
    f = prepared(several(function, count, False))
    with packs_everywhere():
        packs = twin_packs(f, 4)
    fused = agreed(f, packs, registers._fused(f))
    plan = units(f, packs, fused, True)
    ready = {ref >> 2 for ref in f.input_refs} | {index for index in f.live if f.graph.nodes[index][0] == OUT}
    for unit in plan.order:
        assert unit not in ready and set(plan.operands[unit]) <= ready
        ready.add(unit)
    needed = {plan.unit_of.get(ref >> 2, ref >> 2) for ref in f.output_refs if not ref & 2}
    assert needed <= ready
    for row, columns in zip(packs.rows, packs.columns, strict=True):
        own = own_nodes(row)
        assert len(set(own)) == len(own) > 1 and len(row) in (2, 4)
        for lane, index in enumerate(row):
            node = f.graph.nodes[index]
            operands = node[1:] if node[0] != SUB else (node[1], node[2] ^ 1)
            assert sorted(column[lane] for column in columns) == sorted(operands)


def twin_packs(function, width):
    search = twin_search.TwinSearch(function, width)
    columns = [search.columns(row) for row in search.rows]
    return twin_choice.TwinChoice(function, search.rows, search.of, columns, search.shaped).packs()


@pytest.mark.parametrize("make", [golden_models.quadruped, golden_models.humanoid])
def test_robots(make):
    """Single states have the bits of a batch, and without fused products the interpreter's."""
    model = make()
    draw = np.random.default_rng(3)
    for f in (hs.inverse_dynamics(model), hs.forward_dynamics(model), hs.mass_matrix(model)):
        x = [draw.normal(size=(2, *port.shape)) for port in f.inputs]
        exact, fused = hs.compile(f, contract=False, wait=True), hs.compile(f, wait=True)
        reference, whole = hs.compile(f, backend="python"), fused(*x)
        for k in range(2):
            row = [part[k] for part in x]
            np.testing.assert_array_equal(exact(*row), reference(*row))
            np.testing.assert_array_equal(fused(*row), whole[k])


def test_what_is_found_in_robots():
    f = hoisted(hs.inverse_dynamics(golden_models.quadruped()))[1]
    packs = twins(prepared(f), 4)
    assert {len(row) for row in packs.rows} <= {2, 4}
    assert len(packs.of) > 0.6 * f.cost().flops
    assert twins(prepared(hoisted(hs.inverse_dynamics(golden_models.general()))[1]), 4) is NONE
    report = str(hs.explain(hs.inverse_dynamics(golden_models.quadruped())))
    assert "twins" in report and "share" in report


def test_angles_of_mirror_images_at_zero():
    """The sign of a zero decides whether an angle is pi or -pi."""
    x, y, z = hs.symbols("x", 4), hs.symbols("y", 4), hs.symbols("z", 4)
    sums = [a * b + (-1.0) ** k * (c * c + b) for k, (a, b, c) in enumerate(zip(x, y, z, strict=True))]
    f = hs.Function("angles", {"x": x, "y": y, "z": z}, {"y": [hs.atan2(v, -1.0) for v in sums]})
    at = [np.random.default_rng(2).integers(-1, 2, (50, 4)).astype(float) for _ in range(3)]
    with packs_everywhere():
        compiled = hs.compile(f, wait=True)
        whole = compiled(*at)
        for k in range(50):
            np.testing.assert_array_equal(compiled(*(part[k] for part in at)), whole[k])


def braid(count):
    """Two twins that a program reads again and again, with other functions between."""
    x, y, out = hs.symbols("x", 4), [], []
    for k in range(2):
        a = x[2 * k]
        for _ in range(12):
            a = a * x[2 * k + 1] + a * a - x[2 * k]
        y.append(a)
    a, b = y
    for _ in range(count):
        one, two = y[0] * hs.sin(a), y[1] + hs.exp(b) * b
        a, b = y[0] + hs.cos(one) * one, y[1] * hs.tan(two)
        out += [one, two]
    return hs.Function("braid", {"x": x}, {"y": [*out, a, b]})


def test_the_search_is_linear_in_the_readers_of_a_twin(monkeypatch):
    agreement, seen = twin_search.TwinSearch._agreement, []
    monkeypatch.setattr(
        twin_search.TwinSearch, "_agreement", lambda self, x, y: seen.append(x) or agreement(self, x, y)
    )
    counts = []
    for count in (200, 400):
        seen.clear()
        assert twin_search.TwinSearch(prepared(braid(count)), 4).rows
        counts.append(len(seen))
    assert 0 < counts[1] < 2.5 * counts[0]


def test_scalars_of_all_kinds_beside_packs():
    """Lanes that feed sines, divisions by constants, roots, comparisons, outputs and each other."""
    x, y = hs.symbols("x", 6), hs.symbol("y")
    z = [hs.sqrt(1.5 + a * a * y) / (2.0 + a * a) - 0.25 * a * y for a in x]
    z = [b * b * a - y / (1.0 + b * b) for a, b in zip(x, z, strict=True)]
    out = {
        "each": z,
        "mixed": [
            hs.sin(z[0]) * z[5],
            hs.where(z[1] < z[2], z[3], -z[4]),
            z[0] - z[3],
            hs.maximum(z[1], z[5]),
        ],
        "same": [z[2], -z[2], z[2] * 0.0 + 1.0],
    }
    f = hs.Function("kinds", {"x": x, "y": y}, out)
    at = [np.array([0.3, -0.2, 0.9, -1.1, 0.4, 0.0]), 0.7]
    with packs_everywhere():
        for precision in ("f64", "f32"):
            for contract in (False, True):
                compiled = hs.compile(f, precision=precision, contract=contract, wait=True)
                got, whole = compiled(*at), compiled(*(np.stack([a] * 3) for a in map(np.asarray, at)))
                np.testing.assert_array_equal(flat(got), flat(whole, 1))
                if precision == "f64" and not contract:
                    expected = hs.compile(f, backend="python")(*at)
                    assert flat(got).tobytes() == flat(expected).tobytes()


def split(function, x):
    """Rows of flat inputs, by port."""
    bounds = np.cumsum([0, *(len(port.refs) for port in function.inputs)])
    return [
        x[:, a:b].reshape(len(x), *port.shape)
        for (a, b), port in zip(pairwise(bounds), function.inputs, strict=True)
    ]


def flat(results, k=None):
    """All numbers of a result, or those of row k of a batch."""
    ports = results if isinstance(results, tuple) else (results,)
    return np.concatenate([np.ravel(x if k is None else x[k]) for x in map(np.asarray, ports)])
