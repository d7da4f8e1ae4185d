"""Export: languages, files and errors; for names see test_generated_names."""

import math
import os

import numpy as np
import pytest
from strategies import BLOCKS, OPERATIONS, inputs_for, random_function

import hapsis as hs
from hapsis.compiler.backends import interpreter as python
from hapsis.compiler.backends.error_bounds import flat_error_bound
from hapsis.compiler.backends.export import LANGUAGES, export, source
from hapsis.compiler.backends.interface import interface
from hapsis.compiler.ir.functions.function import Function, Port
from hapsis.compiler.ir.graph import ops
from hapsis.compiler.ir.graph.graph import Graph
from hapsis.compiler.passes.pipeline import prepared
from hapsis.errors import CompileError


@pytest.mark.slow
def test_python_text_computes_the_same():
    functions = [random_function(s, 15, names=(*OPERATIONS, *BLOCKS)) for s in range(100)]
    module = {}
    exec(compile(source(functions, "python"), "text", "exec"), module)
    names = [entry.name for entry in interface(functions, "model").entries]
    places = [entry.places for entry in interface(functions, "model").entries]
    assert {name for name in module if name[:6] == "model_" and name[:8] != "model_p_"} == {*names}
    for k, function in enumerate(functions):
        flat = inputs_for(function, k, 2)
        made = prepared(function)
        values, bounds = flat_error_bound(made, flat, ulp=4.0)
        for lane, column in enumerate(flat.T):
            given = [column[:3].tolist(), column[3], column[4:8].reshape(2, 2).tolist()]
            p = np.array(module["model_p_stored"])
            p[[*places[k]]] = column[10:]
            y, z = module[names[k]](*given, column[8:10], p)
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
            got = np.array(module["model_all"](a, b))
            np.testing.assert_allclose(got, expected, rtol=1e-15, err_msg=f"{a} {b}")
            zero = expected == 0
            assert np.array_equal(np.signbit(got[zero]), np.signbit(expected[zero])), (a, b)


def test_files(tmp_path):
    f, g = (random_function(s, 8) for s in range(2))
    base = tmp_path / "new" / "folder" / "arm"
    assert [p.name for p in export(base, [f, g])] == ["arm.c", "arm.h", "arm_test.c"]
    assert '#include "arm.h"' in (base.parent / "arm.c").read_text()
    assert [p.name for p in export(str(base) + ".c", f)] == ["arm.c", "arm.h", "arm_test.c"]
    assert [p.name for p in export(base, f, language="matlab")] == ["arm_random.m", "arm_p.m"]
    assert [p.name for p in export(base, [f, g], "matlab")] == ["arm_random.m", "arm_random_2.m", "arm_p.m"]
    assert "= arm_random_2(" in (base.parent / "arm_random_2.m").read_text()
    assert [p.name for p in export(base, f, "simulink")] == ["arm_random_sfun.c"]
    assert [p.name for p in export(base, [f, g], "json")] == ["arm.json"]
    assert [p.name for p in export(base, [f, g], language="python")] == ["arm.py"]
    assert [p.name for p in export(base, f, language="latex")] == ["arm.tex"]
    # nothing temporary stays behind
    assert sorted(p.suffix for p in base.parent.iterdir()) == sorted(
        [".c", ".h", ".c", ".c", ".json", ".m", ".m", ".m", ".py", ".tex"]
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
        'there is no language "matlap" (did you mean "matlab"?): use one of c, json, latex, '
        "matlab, python, simulink, wasm"
    )
    assert LANGUAGES == ("c", "json", "latex", "matlab", "python", "simulink", "wasm")
    with pytest.raises(CompileError, match="try my_arm"):
        export(tmp_path / "my-arm", f)
    with pytest.raises(CompileError, match="try model"):
        export(tmp_path / "hs_arm", f)
    with pytest.raises(CompileError, match="MATLAB"):
        export(tmp_path / ("x" * 41), f, "matlab")
    with pytest.raises(CompileError, match="f32 for c and simulink"):
        export(tmp_path / "arm", f, "python", precision="f32")
    k = hs.parameter("k", 1.0), hs.parameter("k", 2.0)
    x = hs.symbol("x")
    two = [hs.Function(f"f{i}", {"x": x}, {"y": x * k[i]}) for i in range(2)]
    with pytest.raises(CompileError, match=r'"k" is 1\.0 in one Function and 2\.0 in "f1"'):
        export(tmp_path / "arm", two)
    with pytest.raises(CompileError, match="only Functions"):
        export(tmp_path / "arm", [f, 3])
    with pytest.raises(CompileError, match="no Function"):
        export(tmp_path / "arm", [])
    (tmp_path / "file").write_text("")
    with pytest.raises(CompileError, match="cannot be written"):
        export(tmp_path / "file" / "arm", f)
