"""Random Functions for tests: hypothesis strategies, and a fast plain generator for big ones.

A *recipe* is a list of steps (what, a, b, c); `build` turns any recipe into a Function, so that
hypothesis can shrink it. Values stay within [-LIMIT, LIMIT] as long as the inputs do, no division
or root is near a singularity, and jumps (floor, comparisons) are kept off the values a rounding
error could carry across, so that two right answers agree to about 1e-13.
"""

import random
from collections.abc import Callable, Sequence

import numpy as np
from hypothesis import strategies as st

from hapsis.compiler.ir.functions.blocks import Call, Map, Repeat
from hapsis.compiler.ir.functions.function import Function, Port
from hapsis.compiler.ir.graph import ops
from hapsis.compiler.ir.graph.graph import Graph, negated

LIMIT = 2.0
Step = tuple[int, int, int, int]
Bounded = tuple[int, float]  # a reference and a bound of its magnitude

# name, shape and kind of the inputs of every Function made here; bodies of blocks have the first
INPUTS = (("q", (3,), "coordinate"), ("s", (), "other"), ("A", (2, 2), "length"), ("f", (2,), "force"))
PARAMETERS = tuple((f"p{k}", 0.25 * (k + 1), kind) for k, kind in enumerate(ops.KINDS))


class Builder:
    """Values made so far, newest last; operands are chosen by how far back they are."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.values: list[Bounded] = []

    def at(self, back: int) -> Bounded:
        """A value with its bound."""
        return self.values[-1 - back % len(self.values)]

    def pick(self, back: int) -> int:
        """A value, held within LIMIT."""
        return self.held(*self.at(back))

    def held(self, ref: int, bound: float) -> int:
        """The value scaled by a power of two if it could leave the range."""
        if bound <= LIMIT:
            return ref
        scale = 1.0
        while bound * scale > LIMIT:
            scale *= 0.5
        return self.graph.mul(self.graph.constant(scale), ref)

    def sum(self, a: int, b: int, sign: int) -> None:
        """The sum or difference of two values, unscaled as long as it may be: sums of many."""
        (x, bound), (y, other) = self.at(a), self.at(b)
        if bound + other > 4 * LIMIT:
            (x, bound), (y, other) = (self.pick(a), LIMIT), (self.pick(b), LIMIT)
        self.push(self.graph.add(x, negated(y) if sign else y), bound + other)

    def push(self, ref: int, bound: float) -> None:
        """One more value to choose from."""
        self.values.append((ref, bound))


def _positive(g: Graph, x: int) -> int:
    return g.add(g.mul(x, x), g.constant(0.75))


def _apart(g: Graph, x: int) -> int:
    # no rounding error carries a simple formula's value across a jump from here
    return g.add(x, g.constant(0.318309886))


def _scaled(g: Graph, factor: float, x: int) -> int:
    return g.mul(g.constant(factor), x)


Operation = Callable[[Graph, int, int, int], Bounded]
OPERATIONS: dict[str, Operation] = {
    "mul": lambda g, x, y, z: (g.mul(x, y), 4.0),
    "sin": lambda g, x, y, z: (g.node(ops.SIN, x), 1.0),
    "cos": lambda g, x, y, z: (g.node(ops.COS, x), 1.0),
    "negate": lambda g, x, y, z: (negated(x), 2.0),
    "scale": lambda g, x, y, z: (_scaled(g, 0.7, x), 1.4),
    "shift": lambda g, x, y, z: (g.add(x, g.constant(-0.3)), 2.3),
    "product": lambda g, x, y, z: (g.mul(x, g.mul(y, z)), 8.0),
    "div": lambda g, x, y, z: (g.div(x, _positive(g, y)), 2.7),
    "sqrt": lambda g, x, y, z: (g.node(ops.SQRT, _positive(g, x)), 2.2),
    "tan": lambda g, x, y, z: (g.node(ops.TAN, _scaled(g, 0.4, x)), 1.1),
    "asin": lambda g, x, y, z: (g.node(ops.ASIN, _scaled(g, 0.4, x)), 1.0),
    "acos": lambda g, x, y, z: (g.node(ops.ACOS, _scaled(g, 0.4, x)), 2.6),
    "atan2": lambda g, x, y, z: (g.node(ops.ATAN2, x, _positive(g, y)), 1.3),
    "exp": lambda g, x, y, z: (g.node(ops.EXP, _scaled(g, 0.3, x)), 1.9),
    "log": lambda g, x, y, z: (g.node(ops.LOG, _positive(g, x)), 1.6),
    "pow": lambda g, x, y, z: (g.node(ops.POW, _positive(g, x), _scaled(g, 0.2, y)), 1.9),
    "abs": lambda g, x, y, z: (g.node(ops.ABS, x), 2.0),
    "min": lambda g, x, y, z: (g.node(ops.MIN, x, y), 2.0),
    "max": lambda g, x, y, z: (g.node(ops.MAX, x, y), 2.0),
    "lt": lambda g, x, y, z: (g.node(ops.LT, x, _apart(g, y)), 1.0),
    "le": lambda g, x, y, z: (g.node(ops.LE, _apart(g, x), y), 1.0),
    "eq": lambda g, x, y, z: (g.node(ops.EQ, _signum(g, x), _signum(g, y)), 1.0),
    "select": lambda g, x, y, z: (g.node(ops.SELECT, g.node(ops.LT, _apart(g, z), x), x, y), 2.0),
    "floor": lambda g, x, y, z: (g.node(ops.FLOOR, _apart(g, x)), 2.0),
    "sign": lambda g, x, y, z: (_signum(g, x), 1.0),
}


def _signum(g: Graph, x: int) -> int:
    return g.node(ops.SIGN, _apart(g, x))


SUMS = ("add", "sub")
EVERY = (*SUMS, *OPERATIONS)
PLAIN = EVERY[:9]  # sums, products, sines and cosines
SMOOTH = EVERY[:19]  # without kinks and jumps
BLOCKS = ("call", "map", "repeat", "loop")


def build(
    recipe: Sequence[Step],
    n_out: int = 3,
    names: Sequence[str] = (*EVERY, *BLOCKS),
    body: Sequence[Step] = (),
    n_inputs: int = len(INPUTS),
) -> Function:
    """The Function of a recipe: its outputs are a vector of the last values and one scalar.

    `body` is the recipe of what its blocks call.
    """
    graph = Graph()
    builder = Builder(graph)
    ports = []
    for name, shape, kind in INPUTS[:n_inputs]:
        places = np.ndindex(*shape)
        refs = tuple(graph.symbol(f"{name}[{','.join(map(str, i))}]", kind) for i in places)
        ports.append(Port(name, shape, refs))
        for ref in refs:
            builder.push(ref, LIMIT)
    for name, value, kind in PARAMETERS:
        builder.push(graph.parameter(name, value, kind), LIMIT)
    for what, a, b, c in recipe:
        name = names[what % len(names)]
        if name in SUMS:
            builder.sum(a, b, name == "sub")
        elif name in OPERATIONS:
            x, y, z = builder.pick(a), builder.pick(b), builder.pick(c)
            builder.push(*OPERATIONS[name](graph, x, y, z))
        else:
            _push_block(builder, name, body, (a, b, c))
    last = [builder.held(*value) for value in builder.values[: -n_out - 1 : -1]]
    outputs = [Port("y", (len(last),), tuple(last)), Port("z", (), (builder.pick(n_out),))]
    return Function.of("random", graph, ports, outputs)


def _push_block(builder: Builder, name: str, body: Sequence[Step], seeds: tuple[int, int, int]) -> None:
    graph = builder.graph
    function = build(body, n_out=3, names=EVERY, n_inputs=2)
    if name in ("repeat", "loop"):
        function = _step(function, stops=name == "loop")
    chosen = [builder.pick(seeds[k % 3] + k // 3) for k in range(8)]
    own = [graph.parameter(n, v, dict(_KINDS)[n]) for n, v in function.parameters.items()]
    if name == "call":
        refs = graph.block(Call(function), chosen[:4] + own)
    elif name == "map":
        # two indices share their second half; the results of both are added into one place
        operands = chosen[:6] + own
        shared = list(range(6, len(operands)))
        gather = np.array([[0, 1, 2, 3, *shared], [2, 3, 4, 5, *shared]])
        scatter = np.array([[0, 1, 2, 3], [4, 5, 2, 6]])
        refs = graph.block(Map(function, gather, scatter, len(operands), 7), operands)
    else:
        refs = graph.block(Repeat(function, 1 + seeds[0] % 3, 3), chosen[:4] + own)
    for ref in refs:
        builder.push(ref, 2 * LIMIT)


def _step(function: Function, stops: bool) -> Function:
    """A body for repeat; with `stops` it says it is done when its last output is small."""
    g = function.graph
    done = g.node(ops.LT, _apart(g, function.output_refs[-1]), function.input_refs[0])
    outputs = [function.outputs[0], Port("done", (), (done,))][: 1 + stops]
    return Function.of("step", g, function.inputs, outputs)


_KINDS = [(name, kind) for name, _, kind in PARAMETERS]


def functions(
    max_nodes: int = 40, blocks: bool = True, names: Sequence[str] = EVERY
) -> st.SearchStrategy[Function]:
    """Random Functions of up to about `max_nodes` steps, with kept calls, maps and repeats."""
    every = (*names, *BLOCKS) if blocks else tuple(names)
    step = st.tuples(
        st.integers(0, len(every) - 1), st.integers(0, 20), st.integers(0, 20), st.integers(0, 20)
    )
    return st.builds(
        build,
        st.lists(step, max_size=max_nodes),
        n_out=st.integers(1, 4),
        names=st.just(every),
        body=st.lists(step, max_size=6),
    )


def random_function(
    seed: int,
    n_ops: int,
    names: Sequence[str] = PLAIN,
    blocks: bool = False,
    n_out: int = 8,
    reach: float = 50.0,
) -> Function:
    """A Function of about `n_ops` steps, mostly of recent values (`reach` back on average)."""
    dice = random.Random(seed)
    rare = tuple(names) * 12 + BLOCKS if blocks else tuple(names)

    def step() -> Step:
        a, b, c = (int(dice.expovariate(1 / reach)) for _ in range(3))
        return (dice.randrange(len(rare)), a, b, c)

    recipe = [step() for _ in range(n_ops)]
    return build(recipe, n_out=n_out, names=rare, body=[step() for _ in range(6)])


def inputs_for(function: Function, seed: int = 0, batch: int = 5) -> np.ndarray:
    """Flat inputs within [-1, 1], their parameters at the stored values; one column per lane."""
    flat = np.random.default_rng(seed).uniform(-1, 1, (function.n_in, batch))
    stored = list(function.parameters.values())
    if stored:
        flat[-len(stored) :] = np.array(stored)[:, None]
    return flat
