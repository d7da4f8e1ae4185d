"""J, γ and the drift by recursion along the tree are the derivatives of the rows in the graph."""

import random

import numpy as np
import pytest
import trees
from samples import sample
from shared_models import library
from trees import Maker, close, numbers, states

import hapsis as hs
from hapsis.mechanics.formalisms.constraints.constraint_rows import linearized, rows_of
from hapsis.mechanics.formalisms.tree.coordinate_rates import rates
from hapsis.mechanics.formalisms.tree.posed_tree import posed_tree, unlumped_tree
from hapsis.mechanics.formalisms.tree.tree import Tree

CUTS = "Ball Ball Ball Revolute Weld Prismatic Universal Cylindrical Planar Helical".split()


def closed(seed):
    """A random tree with up to five cuts or constraints, several of them on one body."""
    draw = random.Random(seed)
    made = (trees.planar if draw.random() < 0.3 else trees.model)(draw)
    maker = Maker(draw, formulas=0.0)
    bodies = [*(name for name in made.bodies if name != "world"), "world"]
    few = draw.sample(bodies, 2)
    facts = []
    for k in range(draw.randint(1, 5)):
        first = draw.choice(few)
        second = draw.choice([name for name in bodies if name != first])
        ends = (first, maker.frame()), (second, maker.frame())
        ends = ends[::-1] if draw.random() < 0.5 else ends
        if draw.random() < 0.2:
            new = hs.Distance(f"c{k}", *ends, draw.choice((0.7, lambda t: 0.7 + 0.1 * hs.sin(t))))
        elif draw.random() < 0.2:
            new = hs.Rolling(f"c{k}", *ends, 0.3, axis=draw.choice(("y", None)))
        else:
            new = cut(draw, maker, f"c{k}", *ends)
        try:
            rows_of(posed_tree(hs.Model(made, facts, new)))
        except hs.ModelError as error:
            assert "can never be met" in str(error), error  # two bodies that do not move relatively
        else:
            facts.append(new)
    return hs.Model(made, facts)


def cut(draw, maker, name, first, second):
    kind = draw.choice(CUTS)
    if kind in ("Ball", "Weld", "Universal"):
        return getattr(hs, kind)(name, first, second)
    if kind == "Planar":
        return hs.Planar(name, first, second, normal=draw.choice("xyz"))
    more = {"pitch": 0.1} if kind == "Helical" else {}
    return getattr(hs, kind)(name, first, second, axis=maker.axis(), **more)


def in_graph(tree, rows, v):
    """J, γ and the drift by derivatives of the rows, as the graph takes them."""
    at = {"q": tree.q, **rows.timed}
    along = {"d_q": rates(tree, v), **{f"d_{name}": tree.one for name in rows.timed}}
    h = hs.Function("h", at, {"h": list(rows.values.values())}) if rows.values else None
    first = list(h.jvp("q", *rows.timed)(**at, **along)) if h is not None else []
    dh = [*first, *(tree.links.constant(row(v)) for row in rows.speeds.values())]
    f = hs.Function("dh", {**at, "v": v}, {"dh": dh})
    gamma = f.jvp("q", *rows.timed)(**at, v=v, **along)
    return f.jacobian("dh", "v")(**at, v=v), gamma, f(**at, v=[tree.zero] * tree.n_v)


def check(tree, draw, count=4):
    model, v, rows = tree.links.model, tree.symbols("v"), rows_of(tree)
    if not rows.names:
        return 0
    linear = linearized(tree, rows, rows.names, v)
    inputs = {"q": tree.q, "v": v, **rows.timed}
    names = ("J", "gamma", "drift")
    ours = dict(zip(names, (linear.J, linear.gamma, linear.drift), strict=True))
    graph = dict(zip(names, in_graph(tree, rows, v), strict=True))
    q, speeds, _ = states(model, draw, count)
    given = [q, speeds, *([np.linspace(0.1, 2.0, count)] if rows.timed else [])]
    found, expected = (numbers(hs.Function("f", inputs, x), *given) for x in (ours, graph))
    for name in names:
        x, y = getattr(found, name), getattr(expected, name)
        good = np.isfinite(y).reshape(count, -1).all(axis=1)  # a wheel that lies flat has no lowest point
        close(x[good], y[good])
    return len(rows.names)


@pytest.mark.parametrize("seed", range(sample(40, 1000)))
def test_random_loops(seed):
    model = closed(seed)
    whole = [posed_tree(model), Tree(posed_tree(model).links, condensed=True), unlumped_tree(model)]
    assert len({check(tree, seed) for tree in whole}) == 1


@pytest.mark.parametrize("name", ["five_link_suspension", "stewart", "agile_eye", "car", "five_link_car"])
def test_the_library(name):
    model = getattr(library, name)()
    assert check(posed_tree(model), 1) and check(Tree(posed_tree(model).links, condensed=True), 1)
