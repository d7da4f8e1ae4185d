"""Two exports in one program, on a microcontroller's flags, and as Simulink blocks."""

import re
import shutil
import subprocess

import numpy as np
import pytest
from children import PATIENCE

import hapsis as hs

GCC, NM = shutil.which("gcc"), shutil.which("nm")
needs_gcc = pytest.mark.skipif(GCC is None, reason="gcc is not installed")
STRICT = ["-std=c99", "-ffp-contract=off", "-Wall", "-Wextra", "-pedantic", "-Werror"]
# what is usual for a small machine with single precision
SMALL = [
    "-Os",
    "-ffreestanding",
    "-ffunction-sections",
    "-fdata-sections",
    "-fno-math-errno",
    "-Wdouble-promotion",
]


def arm(first="upper"):
    return hs.Model(
        hs.Rod(first, 0.4, 2.0),
        hs.Rod("lower", 0.3, 1.0),
        hs.Revolute("A", hs.WORLD, first, axis="y"),
        hs.Revolute("B", f"{first}.end", "lower", axis="z"),
    )


def run(folder, *command):
    done = subprocess.run(
        [str(word) for word in command], cwd=folder, capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("precision", ["f64", "f32"])
@needs_gcc
def test_two_exports_link_and_test_themselves(tmp_path, precision):
    x = hs.symbol("x")
    table = hs.Function("curve", {"x": x}, {"y": hs.table([1.0, 3.0, 2.0])(x)})
    for stem, model in (("arm", arm()), ("Arm", arm("thigh"))):
        functions = [hs.inverse_dynamics(model), hs.forward_dynamics(model), hs.mass_matrix(model), table]
        files = hs.export(tmp_path / stem / stem, functions, precision=precision)
        assert [file.name for file in files] == [f"{stem}.c", f"{stem}.h", f"{stem}_test.c"]
    folders = ["-I", "arm", "-I", "Arm"]
    for stem in ("arm", "Arm"):
        sources = ["arm/arm.c", "Arm/Arm.c", f"{stem}/{stem}_test.c"]
        run(tmp_path, GCC, *STRICT, *folders, *sources, "-o", "test", "-lm")
        out = run(tmp_path, "./test").splitlines()
        assert [line.split(":")[0] for line in out] == [
            f"{stem}_{verb}" for verb in ("inverse_dynamics", "forward_dynamics", "mass_matrix", "curve")
        ]
    # both self-tests in one program, and all sources in one file
    (tmp_path / "all.c").write_text(
        '#include "arm/arm.c"\n#include "Arm/Arm.c"\n'
        "int arm_selftest(int);\nint Arm_selftest(int);\n"
        f"int main(void) {{ return arm_selftest({int(precision == 'f64')}) | Arm_selftest(0); }}\n"
    )
    tests = ["-DHS_NO_MAIN", "arm/arm_test.c", "Arm/Arm_test.c"]
    run(tmp_path, GCC, *STRICT, *folders, "all.c", *tests, "-o", "test", "-lm")
    assert run(tmp_path, "./test") == ""


def doubles(assembly):
    """Instructions of x86-64 that compute in double precision."""
    return re.findall(r"^\s+(?:v?\w+sd|v?cvts[si]2sd\w*|v?\w+pd)\s.*", assembly, re.M)


@needs_gcc
def test_no_double_and_no_allocation_on_a_small_machine(tmp_path):
    functions = [hs.inverse_dynamics(arm()), hs.forward_dynamics(arm())]
    x = hs.symbols("x", 2)
    rest = hs.exp(x[0]) + hs.log(x[1]) + hs.tan(x[0]) + hs.atan2(x[0], x[1]) + abs(x[1]) ** x[0]
    rest = rest + hs.asin(x[0] / 4) + hs.acos(x[1] / 4) + hs.floor(x[0]) + hs.sqrt(abs(x[1]))
    functions.append(hs.Function("rest", {"x": x}, {"y": rest}))
    hs.export(tmp_path / "arm", functions, precision="f32")
    run(tmp_path, GCC, *STRICT, *SMALL, "-fsingle-precision-constant", "-c", "arm.c", "-o", "arm.o")
    run(tmp_path, GCC, *STRICT, *SMALL, "-S", "arm.c", "-o", "arm.s")
    assert not doubles((tmp_path / "arm.s").read_text())
    allowed = {f"{name}f" for name in "sin cos tan asin acos atan2 exp log pow floor sqrt fabs".split()}
    if NM:
        assert set(re.findall(r" U (\w+)", run(tmp_path, NM, "arm.o"))) <= allowed | {"memcpy"}
    run(tmp_path, GCC, *STRICT, *SMALL, "-DHS_NO_MAIN", "-c", "arm_test.c", "-o", "arm_test.o")
    (tmp_path / "main.c").write_text("int arm_selftest(int);\nint main(void) { return arm_selftest(0); }\n")
    run(tmp_path, GCC, *STRICT, "main.c", "arm.o", "arm_test.o", "-o", "test", "-lm")
    run(tmp_path, "./test")
    # the test can fail: in double precision there are such instructions
    hs.export(tmp_path / "wide", functions)
    run(tmp_path, GCC, *STRICT, *SMALL, "-S", "wide.c", "-o", "wide.s")
    assert doubles((tmp_path / "wide.s").read_text())


STAND_IN = r"""
/* the part of Simulink's C interface that the S-functions use, for tests */
#include <stddef.h>
#include <string.h>
typedef int int_T;
typedef struct { double *pr; size_t n; } mxArray;
typedef struct { int rows, cols, type, feed, contiguous; void *data; } Port;
typedef struct { int params, ports[2]; Port port[2][8]; mxArray p; const char *error; double step; }
    SimStruct;
enum { SS_DOUBLE, SS_SINGLE, INHERITED_SAMPLE_TIME = -1 };
#define ssGetSFcnParam(S, k) (&(S)->p)
#define mxGetNumberOfElements(a) ((a)->n)
#define mxGetPr(a) ((a)->pr)
#define mxIsDouble(a) ((a)->n < 1000)
#define mxIsComplex(a) ((a)->n > 1000)
#define ssSetErrorStatus(S, text) ((S)->error = (text))
#define ssGetErrorStatus(S) ((S)->error)
#define ssSetNumSFcnParams(S, n) ((S)->params = (n))
#define ssGetNumSFcnParams(S) ((S)->params)
#define ssGetSFcnParamsCount(S) 1
#define ssSetNumContStates(S, n) ((void)(S))
#define ssSetNumDiscStates(S, n) ((void)(S))
#define ssSetNumInputPorts(S, n) ((S)->ports[0] = (n))
#define ssSetNumOutputPorts(S, n) ((S)->ports[1] = (n))
static int set_size(Port *port, int rows, int cols) { port->rows = rows; port->cols = cols; return 1; }
#define ssSetInputPortWidth(S, k, n) set_size(&(S)->port[0][k], n, 1)
#define ssSetOutputPortWidth(S, k, n) set_size(&(S)->port[1][k], n, 1)
#define ssSetInputPortMatrixDimensions(S, k, n, m) set_size(&(S)->port[0][k], n, m)
#define ssSetOutputPortMatrixDimensions(S, k, n, m) set_size(&(S)->port[1][k], n, m)
#define ssSetInputPortDataType(S, k, t) ((S)->port[0][k].type = (t))
#define ssSetOutputPortDataType(S, k, t) ((S)->port[1][k].type = (t))
#define ssSetInputPortRequiredContiguous(S, k, b) ((S)->port[0][k].contiguous = (b))
#define ssSetInputPortDirectFeedThrough(S, k, b) ((S)->port[0][k].feed = (b))
#define ssSetNumSampleTimes(S, n) ((void)(S))
#define ssSetSampleTime(S, k, t) ((S)->step = (t))
#define ssSetOffsetTime(S, k, t) ((void)(S))
#define ssGetInputPortSignal(S, k) ((const void *)(S)->port[0][k].data)
#define ssGetOutputPortSignal(S, k) ((S)->port[1][k].data)
"""
DRIVER = r"""
#include <stdio.h>
int main(void)
{
    static SimStruct S;
    REAL in[2][6] = {{1, 4, 2, 5, 3, 6}, {10}}, out[2][6] = {{0}};
    double p[3] = {2, 0, 0};
    int k, j;
    mdlInitializeSizes(&S);
    mdlInitializeSampleTimes(&S);
    if (S.error || S.step != -1) return 1;
    for (k = 0; k < 2; k++) { S.port[0][k].data = in[k]; S.port[1][k].data = out[k]; }
    for (j = 0; j < 2; j++) {
        S.p.pr = p; S.p.n = (size_t)j;
        mdlOutputs(&S, 0);
        for (k = 0; k < 6; k++) printf("%g ", (double)out[0][k]);
        printf("%g %d %d %d\n", (double)out[1][0], S.port[1][0].rows, S.port[1][0].cols, S.port[0][0].type);
    }
    S.p.n = 3;
    mdlCheckParameters(&S);
    mdlTerminate(&S);
    return S.error == NULL;
}
"""


@pytest.mark.parametrize(("precision", "real"), [("f64", "double"), ("f32", "float")])
@needs_gcc
def test_an_s_function_turns_matrices_and_takes_parameters(tmp_path, precision, real):
    a, s, k = hs.symbols("a", 6).reshape(2, 3), hs.symbol("s"), hs.parameter("k", 3.0)
    f = hs.Function("turn", {"a": a, "s": s}, {"b": a.T * k, "sum": s + a[1, 0]})
    for language in ("c", "simulink"):
        hs.export(tmp_path / "arm", f, language, precision=precision)
    (tmp_path / "simstruc.h").write_text(STAND_IN)
    (tmp_path / "cg_sfun.h").write_text(DRIVER)
    flags = [*STRICT, f"-DREAL={real}", "-I", "."]
    run(tmp_path, GCC, *flags, "arm_turn_sfun.c", "arm.c", "-o", "block", "-lm")
    first, second = (line.split() for line in run(tmp_path, "./block").splitlines())
    # Simulink gives [1 2 3; 4 5 6] and takes its transpose, both column by column
    for line, factor in ((first, 3), (second, 2)):
        assert [float(x) for x in line[:6]] == (factor * np.array([1, 2, 3, 4, 5, 6])).tolist()
        assert line[6:] == ["14", "3", "2", str(int(precision == "f32"))]
