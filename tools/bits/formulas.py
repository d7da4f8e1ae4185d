"""Programs on formulas: expressions, Functions, blocks, tables, derivatives, source text."""

import tempfile
from pathlib import Path

import numpy as np

import hapsis as hs
from bits import program


def spring() -> hs.Function:
    """A spring in space, with parameters."""
    x = hs.symbols("x", 3)
    k, rest = hs.parameter("stiffness", 200.0), hs.parameter("rest", 0.5, kind="length")
    r = hs.sqrt(x @ x)
    return hs.Function("spring", {"x": x}, {"force": -k * (r - rest) * x / r})


def everything() -> hs.Function:
    """Every elementary function once."""
    a, b = hs.symbol("a"), hs.symbol("b")
    values = [
        hs.sin(a),
        hs.cos(b),
        hs.tan(a),
        hs.asin(a / 9),
        hs.acos(b / 9),
        hs.atan(a * b),
        hs.atan2(a, b),
        hs.exp(a),
        hs.log(hs.abs(b) + 1),
        hs.tanh(a - b),
        hs.power(b * b, 1.3),
        hs.sign(a),
        hs.floor(b),
        hs.ceil(a),
        hs.minimum(a, b),
        hs.maximum(a, 2 * b),
        hs.clip(a, -1, 1),
        hs.where((a < b) & ~(a > 1), a, b),
        hs.hypot(a, b),
        hs.sqrt(a * a + 2),
    ]
    return hs.Function("everything", {"a": a, "b": b}, {"y": np.array(values)})


def chain() -> hs.Function:
    """Springs between neighbours, as a map that adds into rows."""
    n, force = 6, spring()
    x, y = hs.symbols("x", 3), hs.symbols("y", 3)
    pull = force(y - x)
    link = hs.Function("link", {"x": x, "y": y}, {"first": -pull, "second": pull})
    X = hs.symbols("X", n, 3)
    i, j = np.arange(n - 1), np.arange(1, n)
    on = hs.map(link, X[i], X[j], add_into={"first": (i, n), "second": (j, n)})
    return hs.Function("chain", {"X": X}, {"force": on.first + on.second})


@program("formulas.elementary")
def elementary():
    """Native, batched, interpreted, single precision, not contracted."""
    f = everything()
    points = np.random.default_rng(1).uniform(-3, 3, (2, 1000))
    return {
        "f": f,
        "batch": hs.compile(f)(*points),
        "one": hs.compile(f)(0.3, -1.2),
        "exact": hs.compile(f, contract=False)(*points),
        "single": hs.compile(f, precision="f32")(*points),
        "python": hs.compile(f, "python")(0.3, -1.2),
        "slopes": hs.compile(f.jacobian("y", "a"))(*points),
        "bounds": hs.error_bound(f, *points),
    }


@program("formulas.parameters")
def parameters():
    """Other values, batches of values, baked ones, defaults, substitution."""
    f = spring()
    at = np.array([0.2, 0.3, 0.4])
    run = hs.compile(f)
    return {
        "f": f,
        "stored": run(at),
        "named": run(at, p={"stiffness": 100.0}),
        "many": run(np.tile(at, (3, 1)), p={"stiffness": [1.0, 2.0, 3.0]}),
        "baked": hs.compile(f, bake=True)(at),
        "fixed": hs.compile(f.substitute(x=[0.0, 0.1, 0.6]))(),
        "by all": hs.compile(f.jacobian("force", "p"))(at),
    }


@program("formulas.blocks")
def blocks():
    """call, map, masks, repeat, and their derivatives."""
    f, places = chain(), np.random.default_rng(2).uniform(size=(6, 3))
    depth = hs.symbols("depths", 4)
    d = hs.symbol("d")
    hertz = hs.Function("hertz", {"d": d}, {"force": 1e6 * d**1.5})
    masked = hs.Function("masked", {"z": depth}, {"f": hs.map(hertz, depth, when=[z > 0 for z in depth])})
    s, c = hs.symbol("s"), hs.symbol("c")
    newton = hs.Function("n", {"s": s, "c": c}, {"s": (s + c / s) / 2, "done": hs.abs(s * s - c) < 1e-14})
    root = hs.Function("root", {"c": c}, {"r": hs.repeat(newton, c, c, times=30)})
    called = hs.Function("twice", {"c": c}, {"y": hs.call(root, c) + hs.call(root, 2 * c)})
    sparse = f.sparse_jacobian("force", "X")
    return {
        "chain": f,
        "masked": masked,
        "root": root,
        "called": called,
        "force": hs.compile(f)(places),
        "slopes": hs.compile(f.jacobian("force", "X"))(places),
        "sparse": (hs.compile(sparse.function)(places), np.array(sparse.rows), np.array(sparse.columns)),
        "jvp": hs.compile(f.jvp("X"))(places, np.ones((6, 3))),
        "vjp": hs.compile(f.vjp("X"))(places, np.ones((6, 3))),
        "masked values": hs.compile(masked)([0.01, -1.0, 0.0, 0.02]),
        "roots": hs.compile(root)(np.array([2.0, 3.0, 1e6])),
        "sum": hs.compile(called)(2.0),
        "slope of root": hs.compile(root.jacobian("r", "c"))(2.0),
    }


@program("formulas.tables")
def tables():
    """Tables and interpolation in one and two dimensions."""
    a, b = hs.symbol("a"), hs.symbol("b")
    ground = np.random.default_rng(3).uniform(0.0, 0.2, (8, 9))
    height = hs.interpolated(ground, start=(0.0, 0.0), step=(0.5, 0.5), kind="cubic")
    torque = hs.interpolated([2.0, 1.8, 1.2, 0.0], start=0.0, step=100.0)
    entry = hs.table(ground)
    f = hs.Function("f", {"a": a, "b": b}, {"z": height(a, b), "tau": torque(100 * a), "e": entry(a, b)})
    points = np.random.default_rng(4).uniform(-1, 5, (2, 200))
    return {"f": f, "values": hs.compile(f)(*points), "slope": hs.compile(f.jacobian("z", "a"))(*points)}


@program("formulas.source")
def source():
    """Source text in all languages, exported files, formulas, LaTeX, SymPy."""
    functions = {"spring": spring(), "everything": everything(), "chain": chain()}
    languages = ("c", "matlab", "python")
    outputs = {f"{n} {l}": hs.source(f, l) for n, f in functions.items() for l in languages}
    with tempfile.TemporaryDirectory() as folder:
        files = hs.export(Path(folder) / "both", [functions["spring"], functions["chain"]], language="c")
        outputs |= {file.name: file.read_text() for file in files}
    q1, q2 = hs.symbol("q1", "coordinate"), hs.symbol("q2", "coordinate")
    e = 0.3 * hs.cos(q1) * hs.cos(q2) - 0.3 * hs.sin(q1) * hs.sin(q2)
    return outputs | {
        "latex": hs.latex(functions["spring"]),
        "formula": hs.formula(e),
        "short": hs.formula(e, short=True),
        "sympy": str(hs.to_sympy(e)),
        "same": hs.same(q1 - q2, -(q2 - q1)),
    }


@program("formulas.explained")
def explained():
    """What the passes count, and a schedule for parallel hardware."""
    outputs = {}
    for f in (spring(), everything(), chain()):
        story = hs.explain(f)
        outputs[f"{f.name} passes"] = [f"{before} {after}" for _, before, after in story.passes]
        outputs[f"{f.name} preparation"] = str(f.cost(preparation=True))
        outputs[f"{f.name} steps"] = len(hs.vector_steps(f).steps)
    return outputs
