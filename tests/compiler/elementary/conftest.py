"""Engines that run an elementary function on arrays: NumPy, LLVM by JIT, C by gcc."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Callable

import numpy as np
import pytest

from hapsis.compiler.elementary import NAMES, c_library, evaluate, llvm_library

INPUTS = {name: 2 if name in ("pow", "atan2") else 1 for name in NAMES}
OUTPUTS = {name: 2 if name == "sincos" else 1 for name in NAMES}
LANE = {"f64": "double", "f32": "float"}
DTYPE = {"f64": np.float64, "f32": np.float32}

Engine = Callable[..., tuple[np.ndarray, ...]]


def _loop(name: str, width: int, precision: str) -> str:
    """IR of @run_...: call the function on consecutive groups of `width` array elements."""
    lane = LANE[precision]
    value = lane if width == 1 else f"<{width} x {lane}>"
    ins, outs = INPUTS[name], OUTPUTS[name]
    packed = value if outs == 1 else f"{{{value}, {value}}}"
    size = 8 if precision == "f64" else 4
    pointers = [f"ptr %a{i}" for i in range(ins)] + [f"ptr %b{i}" for i in range(outs)]
    text = [f"define void @run_{name}_{width}{precision}({', '.join(pointers)}, i64 %n) {{"]
    text += ["entry:", "  br label %loop", "loop:"]
    text += ["  %i = phi i64 [ 0, %entry ], [ %next, %loop ]"]
    for i in range(ins):
        text.append(f"  %p{i} = getelementptr {lane}, ptr %a{i}, i64 %i")
        text.append(f"  %v{i} = load {value}, ptr %p{i}, align {size}")
    given = ", ".join(f"{value} %v{i}" for i in range(ins))
    text.append(f"  %r = call {packed} @hs_{name}_{width}{precision}({given})")
    for i in range(outs):
        text.append(f"  %q{i} = getelementptr {lane}, ptr %b{i}, i64 %i")
        part = "%r"
        if outs > 1:
            part = f"%r{i}"
            text.append(f"  {part} = extractvalue {packed} %r, {i}")
        text.append(f"  store {value} {part}, ptr %q{i}, align {size}")
    text += [f"  %next = add i64 %i, {width}", "  %more = icmp slt i64 %next, %n"]
    text += ["  br i1 %more, label %loop, label %done", "done:", "  ret void", "}", ""]
    return "\n".join(text)


def _call(address: int, precision: str, outs: int, width: int, arrays: tuple) -> tuple:
    """Run a compiled loop; the arrays are padded to whole groups."""
    arrays = np.broadcast_arrays(*arrays)
    count = arrays[0].size
    padded = -(-count // width) * width
    given = [np.zeros(padded, DTYPE[precision]) for _ in arrays]
    for target, source in zip(given, arrays, strict=True):
        target[:count] = source.ravel()
    results = [np.empty(padded, DTYPE[precision]) for _ in range(outs)]
    pointers = [a.ctypes.data for a in (*given, *results)]
    kinds = [ctypes.c_void_p] * len(pointers) + [ctypes.c_int64]
    ctypes.CFUNCTYPE(None, *kinds)(address)(*pointers, padded)
    return tuple(r[:count].reshape(arrays[0].shape) for r in results)


def llvm_engine(fma: bool, widths: dict[str, tuple[int, ...]]) -> Engine:
    """run(name, width, precision, *arrays) by llvmlite's JIT, without any middle-end pass."""
    binding = pytest.importorskip("llvmlite.binding")
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    wanted = {(n, w, p) for n in NAMES for p, ws in widths.items() for w in ws}
    text = llvm_library(wanted, fma) + "".join(_loop(*request) for request in sorted(wanted))
    module = binding.parse_assembly(text)
    module.verify()
    machine = binding.Target.from_default_triple().create_target_machine(
        cpu=binding.get_host_cpu_name(), features=binding.get_host_cpu_features().flatten(), opt=1
    )
    compiler = binding.create_mcjit_compiler(module, machine)
    compiler.finalize_object()

    def run(name: str, width: int, precision: str, *arrays: np.ndarray) -> tuple:
        address = compiler.get_function_address(f"run_{name}_{width}{precision}")
        return _call(address, precision, OUTPUTS[name], width, arrays)

    run.compiler = compiler  # keeps the code alive
    return run


def _c_loop(name: str, precision: str) -> str:
    lane, suffix = LANE[precision], "f" if precision == "f32" else ""
    ins, outs = INPUTS[name], OUTPUTS[name]
    arguments = [f"const {lane} *a{i}" for i in range(ins)] + [f"{lane} *b{i}" for i in range(outs)]
    given = ", ".join(f"a{i}[i]" for i in range(ins))
    call = f"b0[i] = hs_{name}{suffix}({given})"
    if outs > 1:
        call = f"hs_{name}{suffix}({given}, b0 + i, b1 + i)"
    head = f"void run_{name}_{precision}({', '.join(arguments)}, int64_t n)"
    return f"{head};\n{head}\n{{\n    for (int64_t i = 0; i < n; ++i) {call};\n}}\n"


def c_engine(directory, fma: bool) -> Engine:
    """run(name, precision, *arrays) by gcc; skipped where there is none."""
    gcc = shutil.which("gcc")
    if gcc is None:
        pytest.skip("gcc is not installed")
    text = "".join(c_library(NAMES, p, fma) for p in LANE)
    text += "".join(_c_loop(n, p) for n in NAMES for p in LANE)
    source, library = directory / "elementary.c", directory / "elementary.so"
    source.write_text(text)
    flags = "-std=c99 -O2 -Wall -Wextra -pedantic -Werror -shared -fPIC".split()
    subprocess.run([gcc, *flags, str(source), "-o", str(library), "-lm"], check=True)
    loaded = ctypes.CDLL(str(library))

    def run(name: str, precision: str, *arrays: np.ndarray) -> tuple:
        function = getattr(loaded, f"run_{name}_{precision}")
        address = ctypes.cast(function, ctypes.c_void_p).value
        return _call(address, precision, OUTPUTS[name], 1, arrays)

    run.library = loaded
    return run


@pytest.fixture(scope="session")
def reference() -> Engine:
    """run(name, *arrays) by NumPy, always a tuple."""

    def run(name: str, *arrays: np.ndarray) -> tuple:
        result = evaluate(name, *arrays)
        return result if isinstance(result, tuple) else (result,)

    return run


@pytest.fixture(scope="session")
def llvm_plain() -> Engine:
    return llvm_engine(False, {"f64": (1, 8), "f32": (1, 16)})


@pytest.fixture(scope="session")
def llvm_fused() -> Engine:
    return llvm_engine(True, {"f64": (8,), "f32": (16,)})


@pytest.fixture(scope="session")
def c_fused(tmp_path_factory) -> Engine:
    return c_engine(tmp_path_factory.mktemp("fused"), True)


@pytest.fixture(scope="session")
def c_plain(tmp_path_factory) -> Engine:
    return c_engine(tmp_path_factory.mktemp("plain"), False)
