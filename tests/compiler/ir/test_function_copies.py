"""Functions, expressions and compiled code: copied and pickled by value."""

import copy
import pickle

import numpy as np
from hypothesis import given, settings
from strategies import functions, inputs_for, random_function

import hapsis as hs
from hapsis.compiler.backends.interpreter import evaluate


def round_trip(x):
    return pickle.loads(pickle.dumps(x))


def check_same(f):
    g = round_trip(f)
    assert (g.digest, g.name, g.inputs, g.outputs) == (f.digest, f.name, f.inputs, f.outputs)
    assert g.parameters == f.parameters and g.graph.nodes == f.graph.nodes
    assert g.graph.constants == f.graph.constants and g.graph is not f.graph
    assert np.array_equal(evaluate(f, inputs_for(f)), evaluate(g, inputs_for(f)), equal_nan=True)
    return g


@settings(max_examples=100)
@given(functions())
def test_random_functions(f):
    g = check_same(f)
    # the graph goes on as before: what is added is shared and ordered in the same way
    assert g.jacobian("y", "q").digest == f.jacobian("y", "q").digest
    assert round_trip(g).graph.nodes == g.graph.nodes


def test_a_large_function_and_its_code():
    f = random_function(3, 3000, blocks=True)
    g = check_same(f)
    flat = np.random.default_rng(0).uniform(-1, 1, f.n_in)
    shapes = [port.shape for port in f.inputs]
    ends = np.cumsum([0, *(int(np.prod(shape)) for shape in shapes)])
    x = [flat[a:b].reshape(s) if s else flat[a] for a, b, s in zip(ends, ends[1:], shapes, strict=False)]
    compiled = hs.compile(f)
    values = compiled(*x)
    for other in (hs.compile(g)(*x), round_trip(compiled)(*x), copy.deepcopy(compiled)(*x)):
        assert all(np.array_equal(a, b) for a, b in zip(values, other, strict=True))
    assert type(round_trip(values)) is type(values) and round_trip(values)._fields == ("y", "z")


def test_expressions_pickled_together_stay_in_one_graph():
    x, y = hs.symbol("x"), hs.parameter("y", 2.0)
    a, b = round_trip((x * y, hs.sin(x)))
    assert a.graph is b.graph and repr(a + b) == repr(x * y + hs.sin(x))
    assert copy.deepcopy(x) is x


def test_options_of_compiled_code_travel():
    x = hs.symbol("x")
    f = hs.compile(hs.Function("f", {"x": x}, {"y": x * x}), precision="f32")
    assert round_trip(f).precision == "f32" and round_trip(f)(2.0) == 4.0
