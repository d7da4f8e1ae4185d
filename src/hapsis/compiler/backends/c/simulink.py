"""Simulink: a C S-function of level 2 around one exported C function.

    mex arm_bias_sfun.c arm.c

A block with one port for each input and output. Its only dialog parameter is p: a vector in the order of
the header, or [] for the stored values. Matrices are matrices: Simulink stores them column by column,
the C functions row by row, so they are turned on the way.
"""

from collections.abc import Sequence

from hapsis.compiler.backends.interface import Entry, Interface
from hapsis.compiler.ir.functions.function import Port

_TEXT = """\
/* Generated code: {name} as a Simulink block. Build with: mex {name}_sfun.c {stem}.c
   The dialog parameter is p, {count} numbers in the order of {stem}.h, or [] for the stored values. */
#define S_FUNCTION_NAME {name}_sfun
#define S_FUNCTION_LEVEL 2
#include "simstruc.h"
#include "{stem}.h"

static int hs_is_p(SimStruct *S)
{{
    const mxArray *p = ssGetSFcnParam(S, 0);
    const size_t n = mxGetNumberOfElements(p);
    return n == 0 || (n == {count} && mxIsDouble(p) && !mxIsComplex(p));
}}

#define MDL_CHECK_PARAMETERS
static void mdlCheckParameters(SimStruct *S)
{{
    if (!hs_is_p(S)) ssSetErrorStatus(S, "{name}: p must be [] or {count} real numbers");
}}

static void mdlInitializeSizes(SimStruct *S)
{{
    ssSetNumSFcnParams(S, 1);
    if (ssGetNumSFcnParams(S) != ssGetSFcnParamsCount(S)) return;
    mdlCheckParameters(S);
    if (ssGetErrorStatus(S) != NULL) return;
    ssSetNumContStates(S, 0);
    ssSetNumDiscStates(S, 0);
    if (!ssSetNumInputPorts(S, {n_in})) return;
{inputs}    if (!ssSetNumOutputPorts(S, {n_out})) return;
{outputs}    ssSetNumSampleTimes(S, 1);
}}

static void mdlInitializeSampleTimes(SimStruct *S)
{{
    ssSetSampleTime(S, 0, INHERITED_SAMPLE_TIME);
    ssSetOffsetTime(S, 0, 0.0);
}}

/* between the order of Simulink and the row by row order: a has m columns of n entries */
static void hs_turn(const {real} *a, {real} *b, int n, int m)
{{
    int i, j;
    for (i = 0; i < n; i++)
        for (j = 0; j < m; j++) b[i*m + j] = a[j*n + i];
}}

static void mdlOutputs(SimStruct *S, int_T tid)
{{
    const mxArray *hs_p = ssGetSFcnParam(S, 0);
    const size_t hs_n = mxGetNumberOfElements(hs_p);
{body}    (void)tid;
    (void)hs_turn;
}}

static void mdlTerminate(SimStruct *S)
{{
    (void)S;
}}

#ifdef MATLAB_MEX_FILE
#include "simulink.c"
#else
#include "cg_sfun.h"
#endif
"""


def source(shared: Interface, entry: Entry, precision: str = "f64") -> str:
    """The text of NAME_sfun.c."""
    function = entry.function
    return _TEXT.format(
        name=entry.name,
        stem=shared.stem,
        count=len(shared.places),
        real=_real(precision),
        n_in=len(function.inputs),
        n_out=len(function.outputs),
        inputs="".join(_port("Input", k, port, precision) for k, port in enumerate(function.inputs)),
        outputs="".join(_port("Output", k, port, precision) for k, port in enumerate(function.outputs)),
        body="".join(f"    {line}\n" for line in _body(shared, entry, precision)),
    )


def _real(precision: str) -> str:
    return "float" if precision == "f32" else "double"


def _port(side: str, k: int, port: Port, precision: str) -> str:
    """The lines that declare a port."""
    if len(port.shape) == 2 and all(port.shape):
        size = f"ssSet{side}PortMatrixDimensions(S, {k}, {port.shape[0]}, {port.shape[1]})"
        lines = [f"if (!{size}) return;"]
    else:
        # Simulink has no empty signals: one number stands for none
        lines = [f"ssSet{side}PortWidth(S, {k}, {max(1, len(port.refs))});"]
    kind = "SS_SINGLE" if precision == "f32" else "SS_DOUBLE"
    lines.append(f"ssSet{side}PortDataType(S, {k}, {kind});")
    if side == "Input":
        lines.append(f"ssSetInputPortRequiredContiguous(S, {k}, 1);")
        lines.append(f"ssSetInputPortDirectFeedThrough(S, {k}, 1);")
    return "".join(f"    {line}\n" for line in lines)


def _turned(port: Port) -> bool:
    return len(port.shape) == 2 and min(port.shape) > 1


def _body(shared: Interface, entry: Entry, precision: str) -> list[str]:
    """The lines that turn matrices and call the function."""
    real, function = _real(precision), entry.function
    lines, before, after = [], list[str](), list[str]()
    inputs, outputs = list[str](), list[str]()
    for k, port in enumerate(function.inputs):
        signal = f"(const {real} *)ssGetInputPortSignal(S, {k})"
        inputs.append(f"hs_in{k}")
        if _turned(port):
            lines.append(f"{real} hs_in{k}[{len(port.refs)}];")
            before.append(f"hs_turn({signal}, hs_in{k}, {port.shape[0]}, {port.shape[1]});")
        else:
            lines.append(f"const {real} *hs_in{k} = {signal};")
    for k, port in enumerate(function.outputs):
        signal = f"({real} *)ssGetOutputPortSignal(S, {k})"
        outputs.append(f"hs_out{k}")
        if _turned(port):
            lines.append(f"{real} hs_out{k}[{len(port.refs)}];")
            after.append(f"hs_turn(hs_out{k}, {signal}, {port.shape[1]}, {port.shape[0]});")
        else:
            lines.append(f"{real} *hs_out{k} = {signal};")
    declared, parameters = _parameters(shared, precision)
    called = ", ".join([*inputs, "hs_p_given", *outputs])
    return [*lines, *declared, *before, *parameters, f"{entry.name}({called});", *after]


def _parameters(shared: Interface, precision: str) -> tuple[Sequence[str], Sequence[str]]:
    """The lines that declare, and those that fill, the vector p from the dialog, or NULL."""
    count = len(shared.places)
    if precision == "f64" or not count:
        given = f"hs_n == {count} && hs_n > 0 ? mxGetPr(hs_p) : NULL"
        return [f"const {_real(precision)} *hs_p_given = {given if count else 'NULL'};"], [
            *([] if count else ["(void)hs_n;"])
        ]
    return (
        [f"float hs_p_single[{count}];", "const float *hs_p_given = NULL;", "size_t hs_k;"],
        [
            "for (hs_k = 0; hs_k < hs_n; hs_k++) hs_p_single[hs_k] = (float)mxGetPr(hs_p)[hs_k];",
            "if (hs_n > 0) hs_p_given = hs_p_single;",
        ],
    )
