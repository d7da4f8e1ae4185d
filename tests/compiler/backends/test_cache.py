"""Object code on disk: found again, never trusted blindly, never in the way."""

import os
import signal
import stat
import time
import warnings

import numpy as np
import pytest

import hapsis as hs
from hapsis.compiler.backends import cache, cache_folder
from hapsis.compiler.backends.llvm import background, llvm_jit, small_functions
from hapsis.compiler.ir.graph.graph import Graph


@pytest.fixture
def folder(tmp_path, monkeypatch):
    background.settled()  # of other tests: it stores code where the cache is now
    monkeypatch.setenv("HAPSIS_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "objects"


def square(name: str = "x") -> hs.Function:
    x = hs.symbols(name, 3, graph=Graph())  # what other tests wrote would change the order of operands
    return hs.Function("square", {name: x}, {"y": x * x + 1.0})


def compiled_value() -> np.ndarray:
    return hs.compile(square())(np.arange(3.0))


def entries(folder):
    return sorted(p for p in folder.iterdir() if p.is_file())


def test_second_compile_finds_the_first(folder, monkeypatch):
    first = compiled_value()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    monkeypatch.setattr(llvm_jit, "module_object", lambda *a: pytest.fail("compiled again"))
    assert np.array_equal(compiled_value(), first)


def test_names_have_no_part_in_the_key_but_structure_has(folder, monkeypatch):
    compiled_value()
    compiled, objects = [], llvm_jit.module_object
    monkeypatch.setattr(llvm_jit, "module_object", lambda *a: compiled.append(a) or objects(*a))
    hs.compile(square("something_else"))
    assert len(compiled) == 0
    hs.compile(square(), contract=False)
    assert len(compiled) == 1


@pytest.mark.parametrize("damage", ["cut", "flip", "empty", "old", "lengths"])
def test_damaged_entries_are_rebuilt_with_one_line(folder, damage):
    good = compiled_value()
    for path in entries(folder):
        content = path.read_bytes()
        if damage == "cut":
            content = content[: len(content) // 2]
        elif damage == "flip":
            content = content[:-9] + bytes([content[-9] ^ 1]) + content[-8:]
        elif damage == "empty":
            content = b""
        elif damage == "old":
            content = b"hapsis object 0\n" + content[len(cache.MAGIC) :]
        else:
            body = b"\xff" * 40
            content = cache.MAGIC + cache._sum(path.name, body) + body
        path.write_bytes(content)
    small_functions.elementary_address.cache_clear()
    with pytest.warns(hs.Notice, match="rebuilt") as notices:
        assert np.array_equal(compiled_value(), good)
    assert all("\n" not in str(n.message) for n in notices)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.array_equal(compiled_value(), good)


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="needs POSIX owners")
def test_open_or_foreign_files_are_not_executed(folder, tmp_path, monkeypatch):
    compiled_value()
    for path in entries(folder):
        path.chmod(0o666)
    with pytest.warns(hs.Notice, match="open to others"):
        compiled_value()
    folder.chmod(0o777)
    with pytest.warns(hs.Notice, match="not used"):
        compiled_value()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compiled_value()  # of the folder it is said once
    folder.chmod(0o700)
    other = tmp_path / "link"
    other.mkdir()
    (other / "objects").symlink_to(folder)
    monkeypatch.setenv("HAPSIS_CACHE", str(other))
    with pytest.warns(hs.Notice, match="not used"):
        compiled_value()
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    monkeypatch.setattr(cache, "_said", set())
    monkeypatch.setenv("HAPSIS_CACHE", str(folder.parent))
    with pytest.warns(hs.Notice, match="belongs to"):
        compiled_value()


def test_no_cache_is_no_error(monkeypatch, tmp_path):
    monkeypatch.setenv("HAPSIS_CACHE", "")
    assert cache.folder() is None
    assert np.array_equal(compiled_value(), [1.0, 2.0, 5.0])
    file = tmp_path / "file"
    file.write_text("not a folder")
    monkeypatch.setenv("HAPSIS_CACHE", str(file))
    with pytest.warns(hs.Notice, match="cannot be used"):
        assert np.array_equal(compiled_value(), [1.0, 2.0, 5.0])


def test_default_folder_is_the_users(monkeypatch, tmp_path):
    monkeypatch.delenv("HAPSIS_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    monkeypatch.setattr("sys.platform", "linux")
    assert cache.folder() == tmp_path / "xdg" / "hapsis" / "objects"


def test_old_entries_go_when_there_are_too_many(folder, monkeypatch):
    monkeypatch.setattr(cache, "LIMIT", 2000)
    monkeypatch.setattr(os, "urandom", lambda n: b"\0")
    for k in range(5):
        cache.store(f"{k:064d}", [bytes(600)])
        os.utime(folder / f"{k:064d}", (k, k))
    cache.store("9" * 64, [bytes(600)])
    kept = [p.name[-1] for p in entries(folder)]
    assert kept == ["3", "4", "9"] or kept == ["4", "9"]


def test_what_is_stored_comes_back(folder):
    cache.store("a" * 64, [b"one", b"", b"three" * 1000])
    assert cache.load("a" * 64) == [b"one", b"", b"three" * 1000]
    assert cache.load("b" * 64) is None
    assert cache.key(b"ab", b"c") != cache.key(b"a", b"bc")


def test_an_entry_under_anothers_name_is_rebuilt(folder):
    """Whatever entry lies under whatever name, numbers are those of the function that was asked for."""
    x = hs.symbol("x", graph=Graph())
    functions = [hs.Function("f", {"x": x}, {"y": hs.sin(x) * k}) for k in (2.0, 3.0, 777.0)]
    right = [hs.compile(f)(0.5) for f in functions]
    names = [p.name for p in entries(folder)]
    contents = [p.read_bytes() for p in entries(folder)]
    for shift in range(1, len(names)):
        for name, content in zip(names, contents[shift:] + contents[:shift], strict=True):
            (folder / name).write_bytes(content)
        small_functions.elementary_address.cache_clear()
        with pytest.warns(hs.Notice, match="rebuilt"):
            assert [hs.compile(f)(0.5) for f in functions] == right


@pytest.mark.skipif(not cache_folder._WITHIN, reason="needs descriptors of folders")
def test_a_folder_exchanged_after_the_check_is_not_read(folder, tmp_path, monkeypatch):
    """The owner of a parent exchanges the folder between the check and the use of it."""
    cache.store("a" * 64, [b"ours"])
    strange = tmp_path / "strange"
    strange.mkdir(mode=0o777)
    (strange / ("a" * 64)).write_bytes(cache._packed("a" * 64, [b"strange"]))
    private = cache_folder.is_private

    def exchanged(status):
        answer = private(status)
        if stat.S_ISDIR(status.st_mode) and strange.exists():
            folder.rename(tmp_path / "away")
            strange.rename(folder)
        return answer

    monkeypatch.setattr(cache_folder, "is_private", exchanged)
    assert cache.load("a" * 64) == [b"ours"]
    monkeypatch.setattr(cache_folder, "is_private", private)
    folder.chmod(0o777)
    with pytest.warns(hs.Notice, match="not used"):
        assert cache.load("a" * 64) is None


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")
def test_a_pipe_or_a_link_is_no_entry(folder, tmp_path):
    cache.store("a" * 64, [b"ours"])
    os.mkfifo(folder / ("b" * 64), 0o600)
    (folder / ("c" * 64)).symlink_to(folder / ("a" * 64))
    for name in "bc":
        with pytest.warns(hs.Notice, match="rebuilt"):
            assert cache.load(name * 64) is None


def test_a_full_disk_leaves_nothing_behind(folder, monkeypatch):
    def full(*arguments):
        raise OSError(28, "No space left on device")

    cache.store("a" * 64, [b"ours"])
    monkeypatch.setattr(cache, "_packed", full)
    with pytest.warns(hs.Notice, match="No space left"):
        cache.store("b" * 64, [b"more"])
    assert [p.name for p in entries(folder)] == ["a" * 64]


def test_files_of_ended_processes_go(folder, monkeypatch):
    cache.store("a" * 64, [b"ours"])
    for name, age in (("new-old", 2 * cache.ABANDONED), ("new-young", 0.0)):
        (folder / name).write_bytes(b"")
        os.utime(folder / name, (time.time() - age,) * 2)
    monkeypatch.setattr(os, "urandom", lambda n: bytes(n))
    cache.store("b" * 64, [b"more"])
    assert [p.name for p in entries(folder)] == ["a" * 64, "b" * 64, "new-young"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_process_killed_while_it_writes_leaves_no_half_entry(folder):
    """A hundred times; every entry that is there afterwards is whole, and what was there before is too."""
    cache.store("a" * 64, [b"before"])
    numbers = np.random.default_rng(0)
    for _ in range(100):
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.write(writing, b"!")
            while True:
                for name in "abcdef":
                    cache.store(name * 64, [name.encode() * 100_000, b"end"])
        os.read(reading, 1)
        time.sleep(float(numbers.uniform(0.0, 3e-3)))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(reading)
        os.close(writing)
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # a damaged entry would give a notice
            found = {name: cache.load(name * 64) for name in "abcdef"}
        assert found["a"] in ([b"before"], [b"a" * 100_000, b"end"])
        assert all(x is None or x == [n.encode() * 100_000, b"end"] for n, x in found.items() if n != "a")


def test_what_is_used_stays(folder, monkeypatch):
    cache.store("a" * 64, [b"ours"])
    os.utime(folder / ("a" * 64), (1.0, 1.0))
    assert cache.load("a" * 64) == [b"ours"]
    assert time.time() - (folder / ("a" * 64)).stat().st_mtime < 100.0


def test_a_look_at_the_cache_and_clearing_it(folder):
    cache.store("a" * 64, [b"ours"])
    cache.store("b" * 64, [b"ours"])
    assert cache.contents() == (folder, 2, sum(p.stat().st_size for p in entries(folder)), "")
    assert cache.clear()[:2] == (folder, 2)
    assert entries(folder) == [] and cache.contents() == (folder, 0, 0, "")


def test_looking_makes_no_folder(folder, tmp_path):
    assert cache.contents() == cache.clear() == (folder, 0, 0, "")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="needs POSIX owners")
def test_why_nothing_is_kept(folder, monkeypatch):
    cache.store("a" * 64, [b"ours"])
    folder.chmod(0o707)
    assert "is open to others: not used; close it with chmod 700" in cache.contents().problem
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    assert "belongs to another user: not used; set HAPSIS_CACHE" in cache.contents().problem
    monkeypatch.setenv("HAPSIS_CACHE", "")
    assert cache.contents()[:3] == (None, 0, 0)
    assert cache.contents().problem.startswith("HAPSIS_CACHE is empty, which turns the cache off")
    monkeypatch.delenv("HAPSIS_CACHE")
    monkeypatch.setattr(cache_folder.Path, "home", _no_home)
    assert cache.contents().problem.startswith("there is no home folder for the cache; set HAPSIS_CACHE")


def _no_home():
    raise RuntimeError
