"""Compiled loops around our kernels, so that what is timed is the kernel and not Python."""

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np

from hapsis.compiler.backends.llvm.llvm import LlvmKernel
from hapsis.compiler.backends.llvm.small_functions import small_function

Run = Callable[[int, int, int], None]  # first state, number of states, passes
AGAIN = """
  %n2 = add i64 %n, 1
  %more = icmp ult i64 %n2, {count}
  br i1 %more, label %again, label %exit
exit:
  ret void
}}"""
SINGLES = """
define void @singles(ptr %kernel, ptr %table, i64 %row, ptr %ws, i64 %number, i64 %passes) {
entry:
  %count = mul i64 %number, %passes
  %any = icmp ugt i64 %count, 0
  br i1 %any, label %again, label %exit
again:
  %n = phi i64 [0, %entry], [%n2, %again]
  %i = phi i64 [0, %entry], [%i3, %again]
  %at = mul i64 %i, %row
  %args = getelementptr i8, ptr %table, i64 %at
  call void %kernel(ptr %args, ptr %ws)
  %i2 = add i64 %i, 1
  %wrap = icmp eq i64 %i2, %number
  %i3 = select i1 %wrap, i64 0, i64 %i2""" + AGAIN.format(count="%count")
BATCHES = """
define void @batches(ptr %kernel, ptr %ports, ptr %strides, i64 %start, i64 %stop, i64 %last,
                     ptr %ws, i64 %passes) {
entry:
  %any = icmp ugt i64 %passes, 0
  br i1 %any, label %again, label %exit
again:
  %n = phi i64 [0, %entry], [%n2, %again]
  call void %kernel(ptr %ports, ptr %strides, i64 %start, i64 %stop, i64 %last, ptr %ws)""" + AGAIN.format(
    count="%passes"
)


def singles(kernel: LlvmKernel, inputs: list[Any], outputs: list[Any], apart: bool) -> Run:
    """Runs the kernel for one state after the other; results go to one place, or apart."""
    code, count = kernel.code(1), len(inputs[0])
    code.wait()
    arrays = [(x, 1) for x in inputs] + [(y, int(apart)) for y in outputs]
    rows = [[x[i * step].ctypes.data for x, step in arrays] for i in range(count)]
    table = np.array(rows, np.uintp)
    loop, keep = _loop(SINGLES, "singles", "ppipii")
    memory, ws = _workspace(code)
    row = table.strides[0]

    def run(first: int, number: int, passes: int) -> None:
        loop(code.address, table.ctypes.data + first * row, row, ws, number, passes)

    run.keep = (keep, memory, table, inputs, outputs)  # pyright: ignore[reportFunctionMemberAccess]
    return run


def batches(kernel: LlvmKernel, inputs: list[Any], outputs: list[Any]) -> Run:
    """Runs the batch kernel over part of the states, several times."""
    code, arrays = kernel.code(kernel.wide), [*inputs, *outputs]
    code.wait()
    ports = np.array([x.ctypes.data for x in arrays], np.uintp)
    strides = np.array([x[0].size for x in arrays], np.int64)
    loop, keep = _loop(BATCHES, "batches", "pppiiipi")
    memory, ws = _workspace(code)
    last = len(arrays[0]) - 1
    tables = ports.ctypes.data, strides.ctypes.data

    def run(first: int, number: int, passes: int) -> None:
        loop(code.address, *tables, first, first + number, last, ws, passes)

    run.keep = (keep, memory, ports, strides, arrays)  # pyright: ignore[reportFunctionMemberAccess]
    return run


def _loop(text: str, name: str, kinds: str) -> tuple[Any, Any]:
    keep, address = small_function(name, lambda: text, text)
    types = {"p": ctypes.c_void_p, "i": ctypes.c_int64}
    return ctypes.CFUNCTYPE(None, *(types[k] for k in kinds))(address), keep


def _workspace(code: Any) -> tuple[Any, int]:
    """Memory for the kernel, and its first address on a line of the cache."""
    memory = np.zeros(code.workspace_bytes + 64, np.uint8)
    return memory, -(-memory.ctypes.data // 64) * 64
