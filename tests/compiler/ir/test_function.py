"""A Function: ports, calls, parameters and digest; every mistake is told in one line."""

import re

import ir_values
import numpy as np
import pytest
import strategies
from hypothesis import given, settings

import hapsis as hs
from hapsis.compiler.backends import interpreter as python
from hapsis.compiler.ir.functions.call_arguments import bound
from hapsis.compiler.ir.functions.function import Function, Port, size
from hapsis.compiler.ir.graph.expr import Expr
from hapsis.compiler.ir.graph.graph import Graph, negated
from hapsis.errors import CompileError

NAME = "n" * 500


def refused(message):
    """One line, short, with this part."""

    class Check:
        def __enter__(self):
            self.inner = pytest.raises(CompileError, match=re.escape(message))
            self.info = self.inner.__enter__()
            return self.info

        def __exit__(self, *what):
            done = self.inner.__exit__(*what)
            text = str(self.info.value)
            assert "\n" not in text and len(text) < 400
            return done

    return Check()


@pytest.fixture
def graph():
    return Graph()


@pytest.fixture
def f(graph):
    x, k = hs.symbols("x", 3, graph=graph), hs.symbol("k", graph=graph)
    m = hs.parameter("m", 2.0, graph=graph)
    return hs.Function("f", {"x": x, "k": k}, {"y": m * x * k, "r": hs.sqrt(x @ x)})


def at(function, *flat):
    return ir_values.of(function, flat)


# -- ports -----------------------------------------------------------------------------------------


def test_ports_have_shapes_and_places(f):
    assert [p.name for p in f.inputs] == ["x", "k"] and [p.name for p in f.outputs] == ["y", "r"]
    assert [p.shape for p in f.inputs] == [(3,), ()] and [p.shape for p in f.outputs] == [(3,), ()]
    assert f.input("x").refs == f.inputs[0].refs and f.output("r") is f.outputs[1]
    assert (f.n_in, f.n_out) == (5, 4) and len(f.output_refs) == 4
    assert f.input_refs[:4] == [*f.inputs[0].refs, *f.inputs[1].refs]
    assert f.parameters == {"m": 2.0} and f.name == "f"
    assert f.inputs[0].label == '"x"' and Port(NAME, (), ()).label == f'"{NAME[:60]}"'
    assert size((2, 3)) == 6 and size(()) == 1


def test_matrices_go_row_by_row(graph):
    a = hs.symbols("A", 2, 3, graph=graph)
    f = hs.Function("f", {"A": a}, {"T": a.T})
    assert f.outputs[0].shape == (3, 2)
    assert at(f, *range(6)) == [0, 3, 1, 4, 2, 5]


def test_outputs_may_be_numbers_inputs_and_their_negatives(graph):
    x = hs.symbol("x", graph=graph)
    f = hs.Function("f", {"x": x}, {"a": [1.5, 0, x, -x], "b": x})
    assert at(f, 3.0) == [1.5, 0.0, 3.0, -3.0, 3.0]
    assert hs.Function("c", {}, {"y": [1.0, 2.0]}).n_in == 0


def test_an_input_no_output_needs_may_stay(graph):
    x, y = hs.symbols("x", 2, graph=graph)
    assert at(hs.Function("f", {"x": x, "y": y}, {"z": 2 * x}), 4.0, 9.0) == [8.0]


def test_every_mistake_in_a_definition_is_named(graph):
    x, y = hs.symbol("x", graph=graph), hs.symbol("y\n", graph=graph)
    p = hs.parameter("k", 1.0, graph=graph)
    for wrong in (1.0, -x, 2 * x, p, [x, x + 1]):
        with refused("input \"a\" of 'f' must be made of symbols: use hs.symbol or hs.symbols"):
            hs.Function("f", {"a": wrong}, {"b": x})
    with refused("input \"b\" of 'f' repeats a symbol of another input: make a new one"):
        hs.Function("f", {"a": x, "b": x}, {"c": x})
    with refused("repeats a symbol"):
        hs.Function("f", {"a": [x, x]}, {"c": x})
    with refused("an output of 'f' depends on \"y\", which is not among its inputs: add it to inputs"):
        hs.Function("f", {"a": x}, {"b": x, "c": x + hs.symbol("y", graph=graph)})
    with refused("depends on"):
        hs.Function(NAME, {"a": x}, {"c": y})
    heavy = hs.symbol("x", "mass", graph=graph)
    with refused('depends on "x", of kind mass, but its input of that name is of kind other'):
        hs.Function("f", {"a": x}, {"c": heavy})
    with refused('two inputs are called "a": names must differ'):
        Function.of("f", graph, [Port("a", (), (x.ref,))] * 2, [Port("b", (), (x.ref,))])
    with refused('two outputs are called "b": names must differ'):
        Function.of("f", graph, [Port("a", (), (x.ref,))], [Port("b", (), (x.ref,))] * 2)
    for name in ("p", "out"):
        with refused(f'no input may be called "{name}": calls use that name'):
            hs.Function("f", {name: x}, {"b": x})
        hs.Function("f", {"a": x}, {name: x})  # an output may
    with refused("a Function needs at least one output"):
        hs.Function("f", {"a": x}, {})
    with refused("expressions of two graphs cannot be mixed"):
        hs.Function("f", {"a": x}, {"b": hs.symbol("x", graph=Graph())})
    with refused("a str cannot be part of an expression"):
        hs.Function("f", {"a": x}, {"b": "x"})
    other = hs.parameter("k", 2.0, graph=graph)
    with refused("'f' has two parameters called \"k\", with values 1.0 and 2.0: give one of them"):
        hs.Function("f", {"a": x}, {"b": x * p + other})


def test_every_mistake_in_a_call_is_named(f):
    x = np.ones(3)
    for message, use in {
        '\'f\' takes "x", "k": got 3 positional arguments': lambda: f(x, 1, 2),
        '\'f\' has no input "kk" (did you mean "k"?): its inputs are "x", "k"': lambda: f(x, kk=1),
        '\'f\' takes "x", "k": "x" is given twice': lambda: f(x, x=x),
        '\'f\' takes "x", "k": "k" is missing': lambda: f(x),
        '\'f\' takes "x", "k": "x" is missing': lambda: f(k=1),
        '"x" has shape (2,), expected (3,)': lambda: f(x[:2], 1),
        '"k" has shape (1,), expected ()': lambda: f(x, [1]),
        "a constant must be a finite number": lambda: f(x, np.nan),
        '\'f\' has no output "z": its outputs are "y", "r"': lambda: f.output("z"),
        'has no input "' + NAME[:60] + '"': lambda: f.input(NAME),
        "'c' takes no inputs: got 1 positional arguments": lambda: hs.Function("c", {}, {"y": 1})(2),
    }.items():
        with refused(message):
            use()


# -- calls -----------------------------------------------------------------------------------------


def test_a_call_writes_the_formulas_into_the_callers_graph(f):
    other = Graph()
    a, b = hs.symbols("a", 3, graph=other), hs.symbol("b", graph=other)
    result = f(a, b)
    assert result._fields == ("y", "r") and type(result).__name__ == "Result"
    assert result.y.shape == (3,) and isinstance(result.r, Expr) and result.r.graph is other
    assert other.parameters[0] == ("m", "other", 2.0)
    named = f(k=b, x=a)
    assert all(map(hs.same, result.y, named.y)) and hs.same(f(a, k=b).r, result.r)
    g = hs.Function("g", {"a": a, "b": b}, {"y": result.y, "r": result.r})
    assert at(g, 1, 2, 3, 4, 0.5) == at(f, 1, 2, 3, 4, 0.5)


def test_a_call_with_numbers_gives_numbers(graph):
    x = hs.symbols("x", 2, graph=graph)
    f = hs.Function("f", {"x": x}, {"y": x @ x})
    assert float(f([3.0, 4.0])) == 25.0
    y = hs.symbol("y")
    assert f([1.0, 2.0]).graph is y.graph
    assert float(f(np.array([hs.symbol("u"), 4.0], dtype=object)) - hs.symbol("u") ** 2) == 16.0


def test_names_that_are_no_fields_are_numbered(graph):
    x = hs.symbol("x", graph=graph)
    f = hs.Function("f", {"x": x}, {"class": x, "a b": x, "c": x})
    assert f(1.0)._fields == ("_0", "_1", "c") and f.result is f.result


def test_outputs_by_name_are_those_of_a_call_one_or_several(graph):
    x = hs.symbol("x", graph=graph)
    for outputs in ({"y": x + 1}, {"class": x + 1, "z": 2 * x}):
        f = hs.Function("f", {"x": x}, outputs)
        expected = dict(zip(outputs, (4.0, 6.0), strict=False))
        assert {name: float(y) for name, y in f.outputs_by_name(f(3.0)).items()} == expected
        assert f.outputs_by_name(hs.compile(f)(3.0)) == expected


def test_bound_lists_the_scalars_of_each_input(f):
    assert bound(f, (np.arange(3),), {"k": 7}) == [[0, 1, 2], [7]]


# -- substitution, parameters, immutability --------------------------------------------------------


def test_substitute_replaces_inputs_by_numbers_or_formulas(f):
    k = f.graph.symbol("k")
    half = f.substitute(k=0.5)
    assert [p.name for p in half.inputs] == ["x"] and half.name == "f"
    assert at(half, 1, 2, 3, 10) == at(f, 1, 2, 3, 0.5, 10)
    squared = f.substitute(x=[Expr(f.graph, f.graph.mul(k, k)), 2.0, 0])
    assert at(squared, 3.0, 1.0) == at(f, 9.0, 2.0, 0.0, 3.0, 1.0)
    assert at(f, 1, 2, 3, 4, 5) == at(f, 1, 2, 3, 4, 5) and len(f.inputs) == 2
    with refused('has no input "q"'):
        f.substitute(q=1.0)
    with refused('"x" has shape (2,), expected (3,)'):
        f.substitute(x=[1, 2])
    stranger = hs.symbol("stranger", graph=f.graph)
    with refused('depends on "stranger"'):
        f.substitute(k=stranger)


def test_baked_folds_the_parameters_in(f):
    baked = f.baked()
    assert baked.parameters == {} and baked.n_in == 4 and f.parameters == {"m": 2.0}
    assert at(baked, 1, 2, 3, 4) == at(f, 1, 2, 3, 4, 2.0)
    assert [p.shape for p in baked.outputs] == [(3,), ()]


def test_parameters_come_in_the_order_they_were_made(graph):
    x = hs.symbol("x", graph=graph)
    a, unused, b = (hs.parameter(n, v, graph=graph) for n, v in (("a", 1), ("u", 2), ("b", -3)))
    f = hs.Function("f", {"x": x}, {"y": b * x + a})
    assert f.parameters == {"a": 1.0, "b": -3.0} and list(f.parameters) == ["a", "b"]
    assert at(f, 10, 1, -3) == [-29.0] and f.input_refs == [x.ref, a.ref, b.ref]
    kept = Function.of("f", graph, f.inputs, f.outputs, [b.ref >> 2, unused.ref >> 2, a.ref >> 2])
    assert list(kept.parameters) == ["b", "u", "a"] and at(kept, 10, -3, 2, 1) == [-29.0]
    zero = hs.parameter("o", 0.0, graph=graph)
    assert hs.Function("f", {"x": x}, {"y": zero * x}).parameters == {"o": 0.0}
    assert at(hs.Function("f", {"x": x}, {"y": zero * x + x}).baked(), 7.0) == [7.0]


def test_ports_and_results_are_immutable(f):
    with pytest.raises(AttributeError):
        f.inputs[0].name = "z"
    with pytest.raises((AttributeError, TypeError)):
        f.inputs[0].refs[0] = 1
    assert isinstance(f.inputs, tuple) and isinstance(f.outputs, tuple)
    f.parameters["m"] = 9.0
    assert f.parameters == {"m": 2.0}


def test_derivatives_are_methods(f):
    assert f.jacobian("y", "x").outputs[0].shape == (3, 3)
    assert f.sparse_jacobian("y", "k").shape == (3, 1)
    assert [p.name for p in f.jvp("k").inputs] == ["x", "k", "d_k"]
    assert [p.name for p in f.vjp().outputs] == ["w_x", "w_k"]


def test_uses_count_readers_and_outputs(graph):
    x, y = hs.symbols("x", 2, graph=graph)
    hs.exp(y)  # nothing of this Function
    product = x * y
    f = hs.Function("f", {"x": [x, y]}, {"a": [product, -x, 2.0], "b": product * product + x})
    uses = f.uses()
    assert len(uses) == len(graph.nodes)
    assert [uses[e.ref >> 2] for e in (x, y, product)] == [3, 1, 3]
    assert sum(uses) == 2 + 2 + 2 + 3 and uses[hs.exp(y).ref >> 2] == 0
    f = hs.Function("f", {"x": [x, y]}, {"a": hs.exp(-product)})
    assert f.uses()[product.ref >> 2] == 1


# -- digest ----------------------------------------------------------------------------------------


def made(names="xym", value=2.0, factor=3.0, op=lambda a, b: a + b, shape=(2,), flip=False, extra=0):
    g = Graph()
    for k in range(extra):  # what is in the graph besides has no part in it
        hs.symbol(f"other{k}", graph=g) * (17.0 + k)
    x = hs.symbols(names[0], *shape, graph=g)
    y = hs.symbol(names[1], graph=g)
    m = hs.parameter(names[2], value, graph=g)
    outputs = {"a": op(factor * x * y, m), "b": hs.sin(y)}
    if flip:
        outputs = dict(reversed(outputs.items()))
    return hs.Function("f" + names, {names[0]: x, names[1]: y}, outputs)


def test_the_digest_does_not_know_names_and_values():
    first = made().digest
    assert len(first) == 32 == len(made(names="uvw").digest)
    assert first == made(names="uvw").digest == made(value=9.0).digest == made(extra=3).digest


def test_the_digest_knows_everything_else():
    swapped = made()
    swapped = Function.of("f", swapped.graph, swapped.inputs[::-1], swapped.outputs)
    negative = made()
    refs = tuple(map(negated, negative.outputs[0].refs))
    negative = Function.of(
        "f", negative.graph, negative.inputs, [negative.outputs[0]._replace(refs=refs), negative.outputs[1]]
    )
    one = made()
    fewer = Function.of("f", one.graph, one.inputs, one.outputs[:1])
    variants = [
        made(),
        made(factor=3.5),
        made(factor=-3.0),
        made(op=lambda a, b: a - b),
        made(op=lambda a, b: a * b),
        made(shape=(2, 1)),
        made(shape=(1, 2)),
        made(shape=(3,)),
        made(flip=True),
        swapped,
        negative,
        fewer,
        made(op=lambda a, b: a),
    ]
    assert len({f.digest for f in variants}) == len(variants)


def test_the_digest_tells_shapes_from_references(graph):
    x = hs.symbol("x", graph=graph)
    empty = np.empty(0, dtype=object)
    pair = [hs.Function("f", {"x": x}, {"a": a, "b": x}) for a in (empty, x)]
    assert pair[0].digest != pair[1].digest
    alone = [hs.Function("f", {"x": x}, {"a": a}) for a in (x, [x], [[x]])]
    assert len({f.digest for f in alone}) == 3
    v = hs.symbols("v", 4, graph=graph)
    inputs = [
        {},
        {"e": empty},
        {"v": v},
        {"v": v.reshape(2, 2)},
        {"v": v.reshape(4, 1)},
        {"v": v[:3], "w": v[3]},
        {"v": v[0], "w": v[1:]},
    ]
    digests = {hs.Function("f", {"x": x, **more}, {"a": x}).digest for more in inputs}
    assert len(digests) == len(inputs)


def test_the_digest_tells_inputs_and_signs_apart(graph):
    x, y = hs.symbols("x", 2, graph=graph)
    difference = [hs.Function("f", ports, {"z": x - y}) for ports in ({"x": x, "y": y}, {"y": y, "x": x})]
    assert difference[0].digest != difference[1].digest
    k, m = hs.parameter("k", 1.0, graph=graph), hs.parameter("m", 1.0, graph=graph)
    quotients = (hs.minimum(x, 2.0), hs.minimum(x, -2.0), hs.minimum(-x, 2.0), k / m, m / k)
    digests = {hs.Function("f", {"x": x}, {"z": z}).digest for z in quotients}
    assert len(digests) == len(quotients)


def test_the_digest_tells_outputs_of_blocks_apart(graph):
    x = hs.symbol("x", graph=graph)
    body = hs.Function("b", {"x": x}, {"y": [x * x, x + 1]})
    other = hs.Function("b", {"x": x}, {"y": [x * x, x + 2]})
    outs = [hs.call(b, x)[k] for b in (body, other) for k in (0, 1)]
    assert len({hs.Function("f", {"x": x}, {"y": o}).digest for o in outs}) == 4


# -- against the interpreter -----------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(strategies.functions(max_nodes=20))
def test_the_interpreter_agrees_with_plain_python(function):
    flat = strategies.inputs_for(function, batch=2)
    found = python.evaluate(function, flat)
    for lane in range(2):
        assert found[:, lane] == pytest.approx(at(function, *flat[:, lane]), rel=1e-11, abs=1e-11)


def test_text_is_what_printing_says(f):
    assert repr(f) == "f(x[3], k; p[1]) -> y[3], r"
    assert str(f).startswith("f(x[3], k; p[1]) -> y[3], r:\n    y[0] = k*m*x[0]\n")


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda x: hs.Function("f", [x], {"y": x}), "inputs and outputs have names.* got a list"),
        (lambda x: hs.Function("f", {"x": x}, x), "inputs and outputs have names.* got a Expr"),
        (lambda x: hs.symbol(3), "name of a symbol is a text, not a int"),
        (lambda x: hs.symbols(None, 3), "name of a symbol is a text, not a NoneType"),
        (lambda x: hs.parameter(b"k", 1.0), "name of a symbol is a text, not a bytes"),
        (lambda x: hs.parameter("k", "1"), "a str cannot be part"),
        (lambda x: hs.sin("3"), "a str cannot be part"),
        (lambda x: hs.sin(1j), "a complex cannot be part"),
        (lambda x: x + None, "a NoneType cannot be part"),
    ],
)
def test_things_of_the_wrong_type_are_named(call, says):
    with pytest.raises(hs.CompileError, match=says):
        call(hs.symbol("x"))
