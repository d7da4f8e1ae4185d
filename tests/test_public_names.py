"""Laws of all public names: what an editor shows, what errors suggest, and the list of names in the docs."""

import ast
import inspect
import json
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import public_names
import pytest

import hapsis as hs
from hapsis.synonyms import ARGUMENTS, NAMES

ALL = dict(public_names.public_names())
CALLABLE = {n: v for n, v in ALL.items() if callable(v) and n not in ("Notice", "realtime.Device")}
# parts of any number: facts of a model, values of the inputs of a Function, axes of a shape, stages in a row
STARRED = {
    "library.whipple_bicycle": "values",
    "Model": "facts",
    "mate": "facts",
    "call": "args named",
    "error_bound": "inputs",
    "map": "args",
    "repeat": "others",
    "symbols": "shape",
    "haptics.Filters": "stages",
    "haptics.Inclination": "others",
    "haptics.NurbsBody": "faces",
    "particles.Scene": "facts",
    "particles.polyhedron": "options",
    **{f"shapes.{name}": "options" for name in hs.shapes.__all__},
}
# the first argument of a verb is what its first line is about
SUBJECTS = "model function expression what x values data path loop recording".split()


METHODS = {
    f"{owner}.{name}": method
    for owner, value in ALL.items()
    for name, method in public_names.methods(value).items()
}


def parameters(value: Any) -> list[inspect.Parameter]:
    return [p for p in inspect.signature(value).parameters.values() if not p.name.startswith("_")]


def text_of(value: Any) -> str:
    """The docstring; of a class with those of its bases, where shared fields are described."""
    if not inspect.isclass(value):
        return value.__doc__ or ""
    ours = [c for c in value.__mro__ if c.__module__.startswith("hapsis")]
    return "\n".join(c.__dict__.get("__doc__") or "" for c in ours)


@pytest.mark.parametrize("name", CALLABLE)
def test_signature(name):
    stars = [p.name for p in parameters(CALLABLE[name]) if p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    assert stars == STARRED.get(name, "").split()
    for one in parameters(CALLABLE[name]):
        assert one.annotation is not one.empty, f"{name}: {one.name} has no type"


@pytest.mark.parametrize("name", CALLABLE)
def test_every_argument_is_described(name):
    text = text_of(CALLABLE[name])
    for k, one in enumerate(parameters(CALLABLE[name])):
        subject = k == 0 and one.name in SUBJECTS
        described = re.search(rf"(?<![A-Za-z0-9_]){one.name}(?![A-Za-z0-9_])", text)
        assert subject or described, f"{name}: {one.name} is not in the docstring"


@pytest.mark.parametrize("name", METHODS)
def test_methods(name):
    """Every method has a description and types, and says what its arguments are or names them as types do."""
    method = METHODS[name]
    assert (method.__doc__ or "").strip(), f"{name} has no description"
    for one in parameters(method):
        if one.name not in ("self", "cls"):
            assert one.annotation is not one.empty, f"{name}: {one.name} has no type"
    assert inspect.signature(method).return_annotation is not inspect.Signature.empty, f"{name} returns what?"


def test_list_of_names():
    page = public_names.PAGE.read_text(encoding="utf-8")
    assert page == public_names.page(), "run: python tools/public_names.py --write"


def test_completion():
    assert set(hs.__all__) == set(dir(hs))
    for package in (hs.library, hs.realtime, hs.haptics, hs.recording):
        assert dir(package) == sorted(package.__all__)
        assert all(hasattr(package, name) for name in package.__all__)


def test_type_checkers_see_every_name():
    folder = Path(inspect.getfile(hs)).parent
    assert (folder / "py.typed").exists()
    tree = ast.parse((folder / "__init__.py").read_text(encoding="utf-8"))
    block = next(n for n in tree.body if isinstance(n, ast.If))
    imported: set[str] = set()
    for node in block.body:
        assert isinstance(node, ast.ImportFrom)
        imported.update(str(alias.asname) for alias in node.names)
    assert set(hs.__all__) - {"__version__"} <= imported


def refusal(value: Any, word: str) -> str:
    """The message of a call with one argument that does not exist."""
    with pytest.raises(Exception) as caught:
        value(**{word: 1.0})
    return str(caught.value)


def test_other_words_for_arguments():
    """Every word of the table, tried at random verbs and facts that have its name and not the word."""
    choose = random.Random(1)
    tried = 0
    for name, words in ARGUMENTS.items():
        owners = [n for n, v in CALLABLE.items() if any(p.name == name for p in parameters(v))]
        owners = [n for n in owners if not hasattr(CALLABLE[n], "_fields") and n != "Joint"]
        assert owners, f"no public name has the argument {name}"
        for word in words.split():
            for owner in choose.sample(owners, min(3, len(owners))):
                known = [p.name for p in parameters(CALLABLE[owner])]
                first = next(n for n, w in ARGUMENTS.items() if n in known and word in w.split())
                if word in known or any(p.kind is p.VAR_KEYWORD for p in parameters(CALLABLE[owner])):
                    continue
                message = refusal(CALLABLE[owner], word)
                assert f'no argument "{word}" (did you mean "{first}"?)' in message, (owner, message)
                tried += 1
    assert tried > 200


def test_other_words_for_names():
    for name, words in NAMES.items():
        assert name in hs.__all__
        for word in words.split():
            if word not in hs.__all__:
                with pytest.raises(AttributeError, match="did you mean"):
                    getattr(hs, word)


PROGRAM = """
import numpy as np, hapsis as hs
model = hs.Model(hs.Body("arm", mass=1.0), hs.Revolute("hinge", hs.WORLD, "arm", axis="y"))
result = hs.simulate(model, 1.0, {"hinge": 0.5}, step=0.01, method="rk4")
reveal_type(result)
reveal_type(hs.library.slider_crank())
hs.simulate(model, 1.0, dt=0.01)
hs.simulate(model, "long")
hs.gradient(model, None, "arm.mass", 1.0, rtol=1e-6)
reveal_type(hs.simulate(model, 1.0, {"hinge": 1}, parameters={"arm.mass": 2.0}))
reveal_type(hs.simulate(model, 1.0, {"hinge": [0.1, 0.2]}))
reveal_type(hs.simulate(model, 1.0, parameters={"arm.mass": np.ones(3), "a": 1.0})["hinge"])
reveal_type(hs.sweep(model, 1.0, {"arm.mass": np.ones(3)}, "hinge"))
"""


@pytest.mark.slow
def test_type_checker(tmp_path):
    pytest.importorskip("pyright")
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    source = Path(inspect.getfile(hs)).parent.parent
    settings = {"extraPaths": [str(source)], "typeCheckingMode": "basic", "useLibraryCodeForTypes": True}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    command = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, "--outputjson"]
    run = subprocess.run(
        [*command, "-p", str(tmp_path)], capture_output=True, text=True, timeout=300, check=False
    )
    report = json.loads(run.stdout)["generalDiagnostics"]
    lines = {d["range"]["start"]["line"]: d["message"] for d in report}
    assert sorted(lines) == [*range(4, 13)], report
    assert '"Result"' in lines[4] and '"Model"' in lines[5]
    assert '"Result"' in lines[9] and '"Results"' in lines[10] and '"Sweep"' in lines[12]
    # of a function with two forms, for one run and for many, checkers only say that neither fits
    assert 'No overloads for "simulate"' in lines[6], lines[6]
    assert "simulate" in lines[7] or "until" in lines[7], lines[7]
    assert '"rtol"' in lines[8]
