"""Export: languages, files, and names that would like to be code."""

import math
import os

import numpy as np
import pytest
from strategies import BLOCKS, OPERATIONS, inputs_for, random_function

from hapsis.compiler.backends import interpreter as python
from hapsis.compiler.backends.c import c
from hapsis.compiler.backends.error_bounds import flat_error_bound
from hapsis.compiler.backends.export import LANGUAGES, export, source
from hapsis.compiler.ir.functions.blocks import Call, Map
from hapsis.compiler.ir.functions.function import Function, Port
from hapsis.compiler.ir.graph import ops
from hapsis.compiler.ir.graph.graph import Graph
from hapsis.compiler.passes.pipeline import prepared
from hapsis.errors import CompileError

HOSTILE = [
    "",
    'a"; system("x"); "',
    "it's",
    "line\nbreak\r\u2028",
    "*/ int main(void) {} /*",
    "while",
    "x" * 1_000_000,
    "\u202eelif\u202c",
    "%d %s %n",
    "back\\slash\\\n",
    "\0",
    "#define double int",
    "??/",
    "'''",
    "{0} {x!r}",
    "$(id)",
    "\U0001f600",
    "end",
    "in0",
    "out0",
]


def system(names):
    """A Function with blocks whose every name is taken from `names`."""
    name = iter(names).__next__
    graph, inner = Graph(), Graph()
    u, v = (inner.symbol(name(), "length") for _ in range(2))
    w = inner.parameter(name(), 1.5)
    body = Function.of(
        name(),
        inner,
        [Port(name(), (), (u,)), Port(name(), (), (v,))],
        [Port(name(), (), (inner.mul(inner.node(ops.SIN, u), inner.add(v, w)),))],
    )
    x, y = (graph.symbol(name(), "coordinate") for _ in range(2))
    k = graph.parameter(name(), 0.25)
    (kept,) = graph.block(Call(body), [x, k, y])
    mapped = graph.block(
        Map(body, np.array([[0, 1, 2], [1, 0, 2]]), np.array([[0], [1]]), 3, 2), [x, y, kept]
    )
    result = graph.div(graph.node(ops.MIN, kept, x), graph.add(mapped[0], graph.node(ops.EXP, y)))
    inputs = [Port(name(), (2,), (x, y))]
    outputs = [Port(name(), (), (result,)), Port(name(), (2,), (mapped[1], k ^ 1))]
    return Function.of(name(), graph, inputs, outputs)


@pytest.mark.parametrize("shift", range(0, len(HOSTILE), 3))
def test_no_name_reaches_generated_code(shift):
    neutral = system(f"n{k}" for k in range(99))
    hostile = system(HOSTILE[shift:] + HOSTILE[:shift])
    for language in ("c", "python", "matlab"):
        text = source(hostile, language)
        assert text == source(neutral, language)
        assert text.isascii() and len(text) < 100_000
    assert c.source([hostile], '*/"') == c.source([neutral])
    assert len(source(hostile, "latex")) < 5000


@pytest.mark.slow
def test_python_text_computes_the_same():
    functions = [random_function(s, 15, names=(*OPERATIONS, *BLOCKS)) for s in range(100)]
    module = {}
    exec(compile(source(functions, "python"), "text", "exec"), module)
    assert {name for name in module if name[0] == "f"} == {f"f{k}" for k in range(100)}
    for k, function in enumerate(functions):
        flat = inputs_for(function, k, 2)
        made = prepared(function)
        values, bounds = flat_error_bound(made, flat, ulp=4.0)
        for lane, column in enumerate(flat.T):
            given = [column[:3].tolist(), column[3], column[4:8].reshape(2, 2).tolist()]
            y, z = module[f"f{k}"](*given, column[8:10])
            difference = np.abs(np.array([*y, z]) - values[:, lane])
            assert np.all(difference <= bounds[:, lane]), k


def test_python_text_at_special_values():
    graph = Graph()
    x, y = graph.symbol("x"), graph.symbol("y")
    refs = [graph.node(op, x) for op in sorted(ops.UNARY)]
    refs += [graph.node(op, x, y) for op in sorted(ops.BINARY)]
    inputs = [Port("x", (), (x,)), Port("y", (), (y,))]
    function = Function.of("all", graph, inputs, [Port("z", (len(refs),), tuple(refs))])
    module = {}
    exec(source(function, "python"), module)
    special = [0.0, -0.0, 1.0, -1.0, 2.0, 3.0, -2.5, math.inf, -math.inf, math.nan, 1e300]
    for a in special:
        for b in special:
            expected = python.evaluate(prepared(function), np.array([a, b]))
            got = np.array(module["f0"](a, b))
            np.testing.assert_allclose(got, expected, rtol=1e-15, err_msg=f"{a} {b}")
            zero = expected == 0
            assert np.array_equal(np.signbit(got[zero]), np.signbit(expected[zero])), (a, b)


def test_files(tmp_path):
    f, g = (random_function(s, 8) for s in range(2))
    base = tmp_path / "new" / "folder" / "arm"
    assert [p.name for p in export(base, [f, g])] == ["arm.c", "arm.h", "arm_test.c"]
    assert '#include "arm.h"' in (base.parent / "arm.c").read_text()
    assert [p.name for p in export(str(base) + ".c", f)] == ["arm.c", "arm.h", "arm_test.c"]
    assert [p.name for p in export(base, f, language="matlab")] == ["arm.m"]
    assert [p.name for p in export(base, [f, g], "matlab")] == ["arm_f0.m", "arm_f1.m"]
    assert "= arm_f1(" in (base.parent / "arm_f1.m").read_text()
    assert [p.name for p in export(base, [f, g], language="python")] == ["arm.py"]
    assert [p.name for p in export(base, f, language="latex")] == ["arm.tex"]
    # nothing temporary stays behind
    assert sorted(p.suffix for p in base.parent.iterdir()) == sorted(
        [".c", ".h", ".c", ".m", ".m", ".m", ".py", ".tex"]
    )


def test_a_file_that_fails_leaves_the_old_one(tmp_path, monkeypatch):
    f = random_function(0, 8)
    (path,) = export(tmp_path / "arm", f, "python")
    before = path.read_text()

    def refuse(self, target):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.replace", refuse)
    with pytest.raises(CompileError, match="arm cannot be written: Permission denied"):
        export(tmp_path / "arm", random_function(1, 8), "python")
    assert path.read_text() == before
    assert os.listdir(tmp_path) == ["arm.py"]


def test_errors_say_what_to_do(tmp_path):
    f = random_function(0, 3)
    with pytest.raises(CompileError) as caught:
        source(f, "matlap")
    assert str(caught.value) == (
        'there is no language "matlap" (did you mean "matlab"?): use one of c, latex, matlab, python'
    )
    assert LANGUAGES == ("c", "latex", "matlab", "python")
    with pytest.raises(CompileError, match="try my_arm"):
        export(tmp_path / "my-arm", f)
    with pytest.raises(CompileError, match="MATLAB"):
        export(tmp_path / "end", f, "matlab")
    with pytest.raises(CompileError, match="only Functions"):
        export(tmp_path / "arm", [f, 3])
    with pytest.raises(CompileError, match="no Function"):
        export(tmp_path / "arm", [])
    (tmp_path / "file").write_text("")
    with pytest.raises(CompileError, match="cannot be written"):
        export(tmp_path / "file" / "arm", f)
