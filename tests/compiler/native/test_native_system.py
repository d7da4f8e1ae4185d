"""Words of the system and between threads: clock, waiting, files, bytes, published ints."""

import ctypes
import os
import threading

import numpy as np
import pytest

from hapsis.compiler.native import (
    Array,
    Ints,
    Kernel,
    bits,
    byte,
    claim,
    clock,
    foreign,
    from_bits,
    native,
    observe,
    publish,
    put_byte,
    receive,
    transmit,
    wait_until,
)
from hapsis.errors import CompileError


@native
def ticks(n: int, period: int, at: Ints) -> None:
    """Wakes n times, one period apart."""
    moment = clock()
    for k in range(n):
        moment += period
        wait_until(moment)
        at[k] = clock() - moment


@pytest.mark.parametrize("run", [ticks, ticks.python], ids=["native", "python"])
def test_never_woken_before_its_time(run):
    late = np.full(50, -1)
    run(50, 200_000, late)
    assert (late >= 0).all()
    begin = np.zeros(1, np.int64)
    run(1, -1_000_000_000, begin)  # a moment that is over: no waiting
    assert begin[0] >= 1_000_000_000


@native
def mixed(x: Ints, y: Array) -> int:
    """Bits and bytes."""
    put_byte(x, 3, 300)
    publish(x, 1, bits(y[0]) ^ 7)
    y[1] = from_bits(observe(x, 1) ^ 7)
    return (byte(x, 3) << 4 | 5) & 0xFFFF ^ (x[1] >> 60)


def test_bits_and_bytes_are_the_same_in_python():
    made = []
    for run in (mixed, mixed.python):
        x, y = np.arange(3), np.array([-1.5, 0.0])
        made.append((run(x, y), x.tolist(), y.tolist()))
    assert made[0] == made[1] and made[0][2] == [-1.5, -1.5] and made[0][1][0] == 44 << 24


@native
def copied(source: int, target: int, x: Ints) -> int:
    """As many bytes as there are, at most eight."""
    n = receive(source, x, 8)
    if n < 0:
        return -1
    return transmit(target, x, n)


@pytest.mark.parametrize("run", [copied, copied.python], ids=["native", "python"])
def test_files(run):
    (near, write), (read, far) = os.pipe(), os.pipe()
    try:
        os.set_blocking(near, False)
        assert run(near, far, np.zeros(1, np.int64)) == -1
        os.write(write, b"hello")
        assert run(near, far, np.zeros(1, np.int64)) == 5 and os.read(read, 9) == b"hello"
    finally:
        for file in (near, write, read, far):
            os.close(file)


@native
def waits(flag: Ints, data: Array) -> float:
    """What the other thread wrote before it raised the flag."""
    while observe(flag, 0) == 0:
        pass
    return data[0]


def test_what_is_published_is_seen():
    flag, data, found = np.zeros(1, np.int64), np.zeros(1), []
    thread = threading.Thread(target=lambda: found.append(waits(flag, data)))
    thread.start()
    data[0] = 42.0
    flag[0] = 1
    thread.join(10.0)
    assert found == [42.0]


@native
def counted(lock: Ints, total: Ints, n: int) -> int:
    """Adds 1 to a total n times, each time with the lock; how often the lock was not free."""
    busy = 0
    for _ in range(n):
        while not claim(lock, 0):
            busy += 1
        total[0] = total[0] + 1
        publish(lock, 0, 0)
    return busy


def test_of_several_threads_one_claims():
    """A total that two threads change at once would lose some of the changes."""
    lock, total, n = np.zeros(1, np.int64), np.zeros(1, np.int64), 300_000
    threads = [threading.Thread(target=counted, args=(lock, total, n)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert total[0] == 2 * n and lock[0] == 0
    assert counted.python(lock, total, 5) == 0 and total[0] == 2 * n + 5


@native
def doubled(x: Array, y: Array, n: Ints) -> None:
    """y = 2 x."""
    for k in range(n[0]):
        y[k] = 2.0 * x[k]


@native
def used(f: Kernel, x: Array, y: Array) -> None:
    """Calls a Kernel."""
    f(x, y)


def test_a_native_function_is_a_kernel():
    x, n = np.arange(3.0), np.array([3])
    kernel = doubled.bound(vary=("x", "y"), n=n)
    for run in (used, used.python, lambda f, x, y: f(x, y)):
        y = np.zeros(3)
        run(kernel, x, y)
        assert y.tolist() == [0.0, 2.0, 4.0]
    n[0] = 1  # fixed arrays are read at each call
    y = np.zeros(3)
    used(kernel, x, y)
    assert y.tolist() == [0.0, 0.0, 0.0] and kernel.fixed["n"] is n
    for given in ({"vary": ("x",), "n": n}, {"vary": ("x", "y", "n")}, {"vary": ("x", "y")}):
        with pytest.raises(CompileError, match="doubled takes x, y, n"):
            doubled.bound(**given)
    with pytest.raises(CompileError, match="is no Kernel"):
        waits.bound(flag=n, data=x)


@native
def twice(f: Kernel, x: Array, y: Array, z: Array) -> None:
    """A Kernel that calls one."""
    f(x, y)
    f(y, z)


def test_a_kernel_calls_a_kernel():
    inner = doubled.bound(vary=("x", "y"), n=np.array([3]))
    outer = twice.bound(vary=("x", "z"), f=inner, y=np.zeros(3))
    for run in (used, used.python):
        z = np.zeros(3)
        run(outer, np.arange(3.0), z)
        assert z.tolist() == [0.0, 4.0, 8.0]
    with pytest.raises(CompileError, match='"f" of twice is an array'):
        twice.bound(vary=("x", "z"), f=np.zeros(3), y=np.zeros(3))


@native
def called(address: int, n: int, a: float, x: Array, k: Ints) -> int:
    """A function of another language."""
    return foreign(address, n, a, x, k)


@pytest.mark.parametrize("run", [called, called.python], ids=["native", "python"])
def test_a_function_is_called_by_its_address(run):
    seen = []
    kinds = (ctypes.c_char, ctypes.c_double, ctypes.c_void_p, ctypes.c_void_p)

    @ctypes.CFUNCTYPE(ctypes.c_int, *kinds)
    def function(n, a, x, k):
        seen.append((n, a, x, k))
        return -7

    x, k = np.zeros(2), np.zeros(2, np.int64)
    address = ctypes.cast(function, ctypes.c_void_p).value
    assert run(address, 65, 0.5, x, k) == -7
    assert seen == [(b"A", 0.5, x.ctypes.data, k.ctypes.data)]


def test_wrong_kinds_are_named():
    @native
    def wrong(x: Array) -> int:
        return observe(x, 0)

    with pytest.raises(CompileError, match="observe takes Ints and ints"):
        wrong(np.zeros(1))
