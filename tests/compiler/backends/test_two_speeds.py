"""Quick code first, good code later: the same bits, whenever the one takes the place of the other."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest
import two_speeds

import hapsis as hs
from hapsis.bench.chain_program import chain
from hapsis.compiler.backends import cache
from hapsis.compiler.backends.llvm import background, code, llvm_jit, llvm_module
from hapsis.compiler.native.kernels import bound
from hapsis.errors import CompileError


def states(function, seed=1):
    draw = np.random.default_rng(seed)
    return [draw.uniform(-1, 1, port.shape) for port in function.inputs]


@pytest.fixture
def empty_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("HAPSIS_CACHE", str(tmp_path))
    monkeypatch.delenv("HAPSIS_BACKGROUND", raising=False)
    return tmp_path / "objects"


@pytest.mark.parametrize("way", two_speeds.WAYS, ids=lambda way: "-".join(map(str, way.values())))
def test_random_functions_have_the_same_bits_in_both_speeds(way):
    for seed, function in two_speeds.random_functions(6, first=1000):
        assert two_speeds.differs(function, seed, **way) == ""


@pytest.mark.parametrize("model", [hs.library.governor, hs.library.double_wishbone])
def test_models_have_the_same_bits_in_both_speeds(model):
    function = hs.inverse_dynamics(model())
    for way in two_speeds.WAYS:
        assert two_speeds.differs(function, 3, **way) == ""


def test_quick_code_without_fused_products_would_be_found(monkeypatch):
    whole = llvm_jit._object

    def careless(text, level):
        t = "double"
        if level == 0:
            text = text.replace("@llvm.fma.f64", "@loose")
            body = f"%p = fmul {t} %x, %y\n%s = fadd {t} %p, %z\nret {t} %s"
            text = text.replace(
                f"declare {t} @loose({t}, {t}, {t})",
                f"define internal {t} @loose({t} %x, {t} %y, {t} %z) {{\n{body}\n}}",
            )
        return whole(text, level)

    monkeypatch.setattr(llvm_jit, "_object", careless)
    assert "differ" in two_speeds.differs(chain(700), 1)


def test_calls_and_kernels_get_the_good_code(empty_cache):
    function = chain(1500)
    x = states(function)
    with two_speeds.held() as jobs:
        f = hs.compile(function)
        kernel = bound(f, vary=("q", "v", "a", "tau"))
        out = np.zeros(function.outputs[0].shape)
        kernel(*x, out)
        own = f.kernel.code(1)
        quick, table = own.address, kernel.address
        before = f(*x)
        assert not own.good and words(table)[0] == quick == spec_word(f)
        while jobs[0].step():
            assert own.address == quick
        assert own.good and own.address != quick
        assert words(table)[0] == own.address == spec_word(f)
        again = np.zeros_like(out)
        kernel(*x, again)
    assert (f(*x).tobytes(), again.tobytes(), out.tobytes()) == (before.tobytes(),) * 3
    later = bound(f, vary=("q", "v", "a", "tau"))
    assert words(later.address)[0] == own.address


def words(address):
    import ctypes

    return (ctypes.c_int64 * 1).from_address(address)


def spec_word(f):
    from hapsis.compiler.backends.call.fastcall_ir import Slot

    return f._keep[-1][Slot.KERNEL]


def test_what_is_gone_is_not_written_to(empty_cache):
    function = chain(1500)
    with two_speeds.held() as jobs:
        f = hs.compile(function)
        for _ in range(20):
            bound(f, vary=("q", "v", "a", "tau"))
        while jobs[0].step():
            pass
        assert f.kernel.code(1).good


def test_the_code_changes_under_calls_from_several_threads(empty_cache):
    functions = [chain(2000 + 300 * k, seed=k) for k in range(4)]
    wrong, end = [], threading.Event()
    jobs = [(hs.compile(f), states(f)) for f in functions]
    expected = [f(*x).tobytes() for f, x in jobs]

    def work():
        while not end.is_set():
            for (f, x), e in zip(jobs, expected, strict=True):
                batch = f(*(np.stack([a, a]) for a in x))
                if f(*x).tobytes() != e or np.abs(batch - np.frombuffer(e)).max() > 1e-9:
                    wrong.append(e)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    background.settled()
    end.set()
    for thread in threads:
        thread.join()
    background.settled()
    assert not wrong and all(f.kernel.code(1).good for f, _ in jobs)


def test_who_waits_gets_good_code_and_small_functions_have_it_at_once(empty_cache, monkeypatch):
    assert hs.compile(chain(2000), wait=True).kernel.code(1).good
    assert hs.compile(chain(100)).kernel.code(1).good
    monkeypatch.setattr(code, "LONG", 100)  # quick code first because of the budget, then waited for
    assert hs.compile(chain(2200), wait=True).kernel.code(1).good
    f = hs.compile(chain(2100))
    f.kernel.settle()
    assert f.kernel.code(1).good


def test_it_can_be_switched_off(empty_cache, monkeypatch):
    monkeypatch.setenv("HAPSIS_BACKGROUND", "off")
    f = hs.compile(chain(2000))
    assert f.kernel.code(1).good and not f.kernel.code(f.kernel.wide)._job


def test_quick_code_is_on_disk_until_the_good_code_is(empty_cache, monkeypatch):
    function = chain(2000)
    with two_speeds.held() as jobs:
        monkeypatch.setenv("HAPSIS_CACHE", str(empty_cache.parent))
        name = hs.compile(function).kernel.code(1).name
        assert cache.load(name) is None
        jobs[0].keep()
        assert code._read(cache.load(name)[0]).quick
        # another process goes on from there, without passes and text
        monkeypatch.setattr(llvm_module, "Program", None)
        other = hs.compile(hs.Function.of("again", function.graph, function.inputs, function.outputs))
        assert not other.kernel.code(1).good and len(jobs) == 2
        while jobs[1].step():
            pass
        assert other.kernel.code(1).good and not code._read(cache.load(name)[0]).quick
        assert hs.compile(function).kernel.code(1).good
        assert len(jobs) == 2


def test_a_process_goes_on_from_the_modules_of_the_last_one(empty_cache, monkeypatch):
    function = chain(6000)
    x = states(function)
    with two_speeds.held() as jobs:
        monkeypatch.setenv("HAPSIS_CACHE", str(empty_cache.parent))
        f = hs.compile(function)
        expected, count = f(*x).tobytes(), len(jobs[0].texts)
        assert count > 3
        for k in range(1, count + 1):
            assert len(jobs[-1].objects) == k - 1
            assert jobs[-1].step() == (k < count)
            jobs[-1].keep()
            f = hs.compile(function)
            assert f.kernel.code(1).good == (k == count) and f(*x).tobytes() == expected
        name, good = f.kernel.code(1).name, cache.load(f.kernel.code(1).name)
        jobs[0].keep()  # of a process that is behind
        assert cache.load(name) == good


def test_where_llvm_refuses_the_good_code_the_quick_code_stays(empty_cache, monkeypatch):
    function = chain(2000)

    def refused(text, quick=False, background=False):
        if quick:
            return module_object(text, quick)
        raise CompileError("no")

    module_object = llvm_jit.module_object
    monkeypatch.setattr(llvm_jit, "module_object", refused)
    f = hs.compile(function)
    f.kernel.settle()
    assert not f.kernel.code(1).good and np.isfinite(f(*states(function))).all()


def child(text, folder, **more):
    environment = {**os.environ, "HAPSIS_CACHE": str(folder), **more}
    environment.pop("HAPSIS_BACKGROUND", None)
    start = (
        "import os, sys, threading, numpy as np, hapsis as hs\nfrom hapsis.bench.chain_program import chain\n"
    )
    start += "from hapsis.compiler.backends.llvm import background\n"
    return subprocess.Popen(
        [sys.executable, "-X", "faulthandler", "-c", start + textwrap.dedent(text)],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def ended(process, seconds=120):
    out, err = process.communicate(timeout=seconds)
    assert process.returncode == 0, err
    return out, err


def test_a_process_ends_while_code_is_compiled(tmp_path):
    """At once, without a crash, with quick code on disk and nothing half written."""
    text = """
        f = chain(20_000)
        g = hs.compile(f)
        print(g.kernel.code(1).good, g.kernel.code(1).name)
    """
    out, err = ended(child(text, tmp_path))
    assert err == ""
    good, name = out.split()
    entries = {path.name for path in (tmp_path / "objects").iterdir()}
    assert good == "False" and name in entries
    assert not any(entry.startswith(cache.TEMPORARY) for entry in entries)
    out, _ = ended(child(text + "    background.settled(); print(g.kernel.code(1).good)", tmp_path))
    assert out.split()[-1] == "True"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_process_forks_while_code_is_compiled(tmp_path):
    """Children run the quick code, compile on their own and end; the parent gets its good code."""
    text = """
        import warnings
        warnings.simplefilter("ignore")
        f = chain(12_000)
        g = hs.compile(f)
        x = [np.ones(p.shape) for p in f.inputs]
        y = g(*x)
        for k in range(12):
            child = os.fork()
            if child == 0:
                same = np.array_equal(g(*x), y)
                h = hs.compile(chain(300 + 200 * k, seed=k))
                if k % 4 == 0:
                    background.settled()
                    same = same and g.kernel.code(1).good and np.array_equal(g(*x), y)
                os._exit(0 if same else 1)
            assert os.waitpid(child, 0)[1] == 0
        background.settled()
        print(g.kernel.code(1).good, np.array_equal(g(*x), y))
    """
    out, _ = ended(child(text, tmp_path))
    assert out.split() == ["True", "True"]


def test_control_c_while_code_is_compiled(tmp_path):
    text = """
        g = hs.compile(chain(20_000))
        print("ready", flush=True)
        try:
            background.settled()
        except KeyboardInterrupt:
            print("interrupted")
        background.settled()
        print(g.kernel.code(1).good)
    """
    text = "\nimport signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n" + textwrap.dedent(
        text
    )
    process = child(text, tmp_path)
    assert process.stdout.readline().strip() == "ready"
    time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    assert ended(process)[0].split()[-1] == "True"
