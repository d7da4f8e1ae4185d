"""Native code comes from the cache on disk, and only when nothing it depends on has changed."""

import pytest
from native_text import functions

from hapsis.compiler.native import definition, module
from hapsis.errors import CompileError

TEXT = """
SIZE = 3
@native
def inner(x: float) -> float:
    return x * SIZE
@native
def outer(x: float) -> float:
    return inner(x) + {}
"""


@pytest.fixture
def compiled(monkeypatch, tmp_path):
    """The functions that were compiled and not loaded, in a cache of their own."""
    seen: list[str] = []
    original = module.module

    def counted(one):
        seen.append(one.name)
        return original(one)

    monkeypatch.setenv("HAPSIS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(module, "module", counted)
    return seen


def test_loaded_when_nothing_changed(compiled, tmp_path):
    for _ in range(2):
        assert functions(tmp_path, TEXT.format(0.5))["outer"](2.0) == 6.5
    assert compiled == ["outer"]


def test_compiled_anew_when_something_changed(compiled, tmp_path):
    assert functions(tmp_path, TEXT.format(0.5))["outer"](2.0) == 6.5
    assert functions(tmp_path, TEXT.format(0.75))["outer"](2.0) == 6.75
    assert functions(tmp_path, TEXT.format("0"))["outer"](2.0) == 6.0
    changed = TEXT.replace("SIZE = 3", "SIZE = 4.0")
    assert functions(tmp_path, changed.format(0.5))["outer"](2.0) == 8.5
    changed = TEXT.replace("x * SIZE", "x - SIZE")
    assert functions(tmp_path, changed.format(0.5))["outer"](2.0) == -0.5
    changed = TEXT.replace("SIZE", "Answer.YES").replace("Answer.YES = 3", "Answer.YES = 5")
    assert functions(tmp_path, changed.format(0.5))["outer"](2.0) == 10.5
    changed = changed.replace("Answer.YES = 5", "Answer.YES = 6")
    assert functions(tmp_path, changed.format(0.5))["outer"](2.0) == 12.5
    assert compiled == ["outer"] * 7


def test_power_and_kernels_from_the_cache(compiled, tmp_path):
    text = """
@native
def f(g: Kernel, x: Array) -> float:
    g(x, x, x)
    return power(x[0], 1.5)
@native
def root(x: float) -> float:
    return power(x, 0.5)
"""
    for _ in range(2):
        names = functions(tmp_path, text)
        assert names["root"](4.0) == 2.0
        assert names["f"].machine().arity == {"g": 3}
    assert compiled == ["root", "f"]


def test_an_error_is_not_kept(compiled, tmp_path):
    for _ in range(2):
        with pytest.raises(CompileError, match="Pow"):
            functions(tmp_path, "@native\ndef f(n: int) -> int:\n    return n ** 2\n")["f"](1)
    assert compiled == ["f", "f"]


def test_same_text_every_time(tmp_path):
    texts, keys = set(), set()
    for _ in range(3):
        found = functions(tmp_path, TEXT.format(0.5))["outer"].definition
        texts.add(module.module(found).text)
        keys.add(definition.identity(found))
    assert len(texts) == len(keys) == 1
