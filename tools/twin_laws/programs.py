"""Random programs of instances that are the same formulas, or nearly; and Functions that call such."""

import random
import subprocess
import tempfile
from pathlib import Path
from typing import NamedTuple

import numpy as np
from strategies import OPERATIONS, Builder

import hapsis as hs
from hapsis.compiler.ir.functions.blocks import Call, Map, Repeat
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.functions.ports import Port
from hapsis.compiler.ir.graph import ops
from hapsis.compiler.ir.graph.graph import Graph
from twin_laws.laws import broken

PLAIN = ("add", "sub", "mul", "product", "scale", "shift")
RAW = {"raw div": ops.DIV, "raw sqrt": ops.SQRT, "raw atan2": ops.ATAN2}
OTHER = (*OPERATIONS, *RAW)
CONSTANTS = (0.0, 1.0, -1.0, 0.5, -0.7, 1.3, 2.0, 3.0)


class Form(NamedTuple):
    """What instances have: how many, inputs and parameters of their own and shared ones."""

    count: int
    own: int
    shared: int
    parameters: int
    shared_parameters: int
    mirrored: bool
    chained: bool
    differs: float  # the share of operations that one instance has differently
    steps: int
    others: float  # the share of operations that are not sums and products


def form_of(draw: random.Random, largest: int = 17) -> Form:
    """A random form."""
    count = draw.choice([2, 2, 3, 4, 4, 5, 6, 8, 9, 16, 17])
    return Form(
        min(count, largest),
        draw.choice([0, 1, 2, 3, 4]),
        draw.choice([0, 0, 1, 3]),
        draw.choice([0, 0, 1, 3, 6]),
        draw.choice([0, 1, 2]),
        draw.random() < 0.4,
        draw.random() < 0.25,
        draw.choice([0.0, 0.0, 0.02, 0.1, 0.3]),
        draw.choice([3, 8, 15, 30, 60]),
        draw.choice([0.0, 0.1, 0.3]),
    )


def program(draw: random.Random, form: Form, results: int | None = None) -> Function:
    """Instances of one recipe, what reads several of them, and outputs of every kind.

    results    the number of outputs, in one vector; None for any
    """
    graph = Graph()
    own = [[graph.symbol(f"x{k}.{j}") for j in range(form.own)] for k in range(form.count)]
    shared = [graph.symbol(f"s{j}") for j in range(form.shared)]
    common = [graph.parameter(f"c{j}", draw.uniform(-1, 1)) for j in range(form.shared_parameters)]
    numbers = [
        [graph.parameter(f"p{k}.{j}", draw.uniform(-1, 1)) for j in range(form.parameters)]
        for k in range(form.count)
    ]
    names = [
        draw.choice(OTHER) if draw.random() < form.others else draw.choice(PLAIN) for _ in range(form.steps)
    ]
    reach = draw.choice([3, 10, 40])
    recipe = [(name, *(int(draw.expovariate(1 / reach)) for _ in range(3))) for name in names]
    like = [draw.choice(CONSTANTS) for _ in range(2)]
    every: list[Builder] = []
    before = None
    for k in range(form.count):
        builder = Builder(graph)
        sign = int(form.mirrored and k % 2)
        constants = like if draw.random() < 0.5 else [draw.choice(CONSTANTS) for _ in like]
        for ref in (*common, *numbers[k], *shared, *map(graph.constant, constants)):
            builder.push(ref, 2.0)
        for j, ref in enumerate(own[k]):
            builder.push(ref ^ (sign if j % 2 == 0 else 0), 2.0)
        if form.chained:
            builder.push(before if before is not None else graph.constant(0.3), 2.0)
        for step in recipe:
            name, a, b, c = step
            if draw.random() < form.differs * (k == form.count // 2 or draw.random() < 0.2):
                name, a = draw.choice([*PLAIN, draw.choice(OTHER)]), a + draw.randrange(2)
            if form.mirrored and k % 2 and draw.random() < 0.05:
                name = {"add": "sub", "sub": "add"}.get(name, name)
            _push(builder, name, a, b, c)
        before = builder.pick(0)
        every.append(builder)
    mixed = Builder(graph)
    for builder in every:
        for back in range(2):
            mixed.push(*builder.at(back))
    for _ in range(draw.choice([0, 3, 3 * form.count, 40])):
        _push(mixed, draw.choice([*PLAIN, draw.choice(OTHER)]), *(draw.randrange(30) for _ in range(3)))
    last = [b.pick(back) for b in every for back in range(draw.choice([1, 3]))]
    last += [mixed.pick(back) for back in range(draw.choice([1, 8]))]
    if results is not None:
        last = [draw.choice(last) for _ in range(results)]
    elif draw.random() < 0.4:
        inputs = [ref for row in own for ref in row] + shared + common
        last += [draw.choice(last) ^ 1, draw.choice(last), graph.constant(draw.choice(CONSTANTS))]
        last += [draw.choice(inputs)] if inputs else []
        draw.shuffle(last)
    ports = [Port(f"x{k}", (form.own,), tuple(refs)) for k, refs in enumerate(own) if refs]
    if results is not None:
        refs = (*(ref for row in own for ref in row), *shared)
        ports = [Port("x", (len(refs),), refs)] if refs else []
    elif draw.random() < 0.3:
        ports = (
            [Port("x", (form.count, form.own), tuple(np.transpose(own).ravel().tolist()))] if form.own else []
        )
    ports += [Port("s", (form.shared,), tuple(shared))] if shared and results is None else []
    outputs = [Port("y", (len(last),), tuple(last))]
    if results is None and len(last) > 2 and draw.random() < 0.5:
        outputs = [Port("y", (len(last) - 1,), tuple(last[1:])), Port("z", (), (last[0],))]
    return Function.of("twins", graph, ports, outputs)


def _push(builder: Builder, name: str, a: int, b: int, c: int) -> None:
    graph = builder.graph
    if name in ("add", "sub"):
        builder.sum(a, b, name == "sub")
    elif name in RAW:
        operands = [builder.pick(a), builder.pick(b)][: 1 + (name != "raw sqrt")]
        ref = graph.div(*operands) if name == "raw div" else graph.node(RAW[name], *operands)
        builder.push(ref, 2.0)
    else:
        x, y, z = builder.pick(a), builder.pick(b), builder.pick(c)
        builder.push(*OPERATIONS[name](graph, x, y, z))


def programs(seed: int) -> list[str]:
    """A program, or a derivative of one."""
    draw = random.Random(seed)
    f = program(draw, form_of(draw))
    if draw.random() < 0.15 and f.inputs and f.outputs[0].name == "y":
        f = f.jacobian("y", draw.choice(f.inputs).name)
    elif draw.random() < 0.05:
        f = f.baked()
    return broken(draw, f, draw.choice([0.0, 0.0, 0.1, 0.5]))


def calling(draw: random.Random) -> Function:
    """A Function that calls, maps and repeats programs, in instances of its own."""
    graph = Graph()
    small = form_of(draw, 5)._replace(steps=draw.choice([3, 8, 15]))
    size = small.count * small.own + small.shared
    body = program(draw, small, draw.choice([2, 5]))
    step = program(draw, small, size) if size else None
    number = {name: value for f in (body, step) if f for name, value in f.parameters.items()}
    count = draw.choice([2, 3, 4, 6])
    refs = [[graph.symbol(f"x{k}.{j}") for j in range(size)] for k in range(count)]
    separate = draw.random() < 0.5
    known: list[int] = []

    def parameters(f: Function, k: int) -> list[int]:
        return [graph.parameter(f"{k if separate else 0}.{name}", number[name]) for name in f.parameters]

    kind = draw.choice(["call", "map", "repeat", "every"])
    for k in range(count):
        own = list(refs[k])
        if kind in ("repeat", "every") and step is not None:
            own = list(graph.block(Repeat(step, draw.randrange(1, 4), size), own + parameters(step, k)))
            own = [graph.mul(x, graph.constant(0.25)) for x in own]
            known += own
        if kind in ("call", "every"):
            known += graph.block(Call(body), own + parameters(body, k))
    if kind in ("map", "every"):
        outs = body.n_out
        operands = [ref for row in refs for ref in row] + [
            r for k in range(count) for r in parameters(body, k)
        ]
        n = len(body.parameters)
        gather = np.array(
            [
                [*range(k * size, k * size + size), *range(count * size + k * n, count * size + k * n + n)]
                for k in range(count)
            ]
        ).reshape(count, size + n)
        overlap = draw.random() < 0.5
        scatter = np.array(
            [[0 if overlap and not j else k * outs + j for j in range(outs)] for k in range(count)]
        )
        known += graph.block(Map(body, gather, scatter, len(operands), count * outs), operands)
    mixed = Builder(graph)
    for ref in known or [graph.constant(1.0)]:
        mixed.push(ref, 4.0)
    width = max(1, len(known) // count)
    for k in range(min(count * width, len(mixed.values))):
        _push(mixed, PLAIN[k % width % len(PLAIN)], len(known) - 1, len(known) // 2, width)
    last = [mixed.pick(k) for k in range(min(40, len(mixed.values)))]
    ports = [Port(f"x{k}", (size,), tuple(row)) for k, row in enumerate(refs) if row]
    return Function.of("calls", graph, ports, [Port("y", (len(last),), tuple(last))])


def blocks(seed: int) -> list[str]:
    """A Function that calls programs."""
    draw = random.Random(seed)
    return broken(draw, calling(draw), draw.choice([0.0, 0.0, 0.1]))


def exports(seed: int) -> list[str]:
    """A program as C: its own test says whether it computes what we compute."""
    draw = random.Random(seed)
    f = program(draw, form_of(draw)._replace(own=2, others=0.0)) if draw.random() < 0.6 else calling(draw)
    with tempfile.TemporaryDirectory() as folder:
        hs.export(Path(folder) / "it", f)
        build = f"cd {folder} && gcc -O1 -ffp-contract=off -o it it*.c -lm && ./it"
        done = subprocess.run(["sh", "-c", build], capture_output=True, text=True, check=False)
    return [] if done.returncode == 0 else [f"exported C: {(done.stdout + done.stderr).strip()[-200:]}"]
