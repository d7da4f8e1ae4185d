"""Environment variables: wrong values are errors, unknown names notices, and all of them are documented."""

import os
import re
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

import hapsis as hs
from hapsis.compiler.backends import environment

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(autouse=True)
def unchecked():
    environment._check_names.cache_clear()
    yield
    environment._check_names.cache_clear()


@pytest.mark.parametrize("name", [n for n, allowed in environment.VARIABLES.items() if allowed])
def test_allowed_values_and_typing_errors(monkeypatch, name):
    allowed = environment.VARIABLES[name]
    monkeypatch.delenv(name, raising=False)
    assert environment.choice(name) == allowed[0]
    for value in ("", " ", *allowed, *map(str.upper, allowed)):
        monkeypatch.setenv(name, value)
        assert environment.choice(name) == (value.strip().lower() or allowed[0])
    for value in (*(word[:-1] for word in allowed), "1", "true", "x" * 300, "a\nb"):
        monkeypatch.setenv(name, value)
        with pytest.raises(hs.Error, match=f"{name} is .*; expected {' or '.join(allowed)}") as error:
            environment.choice(name)
        assert str(error.value).isprintable() and len(str(error.value)) < 200


def test_a_wrong_value_is_no_reason_to_interpret(monkeypatch):
    """It is told where a Function is compiled, whatever its size."""
    x = hs.symbol("x")
    hs.compile(hs.Function("f", {"x": x}, {"y": x + 1.0}))  # from now on its code is in the cache
    monkeypatch.setenv("HAPSIS_BACKGROUND", "of")
    with pytest.raises(hs.Error, match=r"HAPSIS_BACKGROUND is 'of' \(did you mean \"off\"\?\)"):
        hs.compile(hs.Function("f", {"x": x}, {"y": x + 1.0}))


@pytest.mark.parametrize(("name", "value"), [("HAPSIS_BACKGROUND", "of"), ("HAPSIS_NATIVE", "check")])
def test_the_command_says_it_in_one_line(name, value):
    model = ROOT / "examples" / "models" / "pendulum.yaml"
    run = subprocess.run(
        [sys.executable, "-m", "hapsis", "simulate", str(model), "--until", "0.1"],
        env={**os.environ, name: value},
        capture_output=True,
        text=True,
    )
    assert (run.returncode, run.stdout) == (2, "")
    assert len(run.stderr.splitlines()) == 1 and f"{name} is '{value}'" in run.stderr


def test_unknown_names_are_told_once(monkeypatch):
    monkeypatch.setenv("HAPSIS_BACKGROND", "off")
    with pytest.warns(hs.Notice, match='HAPSIS_BACKGROND .did you mean "HAPSIS_BACKGROUND"') as caught:
        environment.choice("HAPSIS_BACKGROUND")
    assert len(caught) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        environment.choice("HAPSIS_BACKGROUND")


def test_every_variable_is_known_and_documented():
    texts = [p.read_text() for folder in ("src", "tools") for p in (ROOT / folder).rglob("*.py")]
    used = {name for text in texts for name in re.findall(r"HAPSIS_[A-Z]+", text)}
    assert used == set(environment.VARIABLES)
    page = (ROOT / "docs" / "command_line.md").read_text()
    table = page.partition("## Environment variables")[2]
    for name, allowed in environment.VARIABLES.items():
        (row,) = re.findall(rf"^\| `{name}` \|.*$", table, flags=re.M)
        assert all(f"`{word}`" in row for word in allowed)
