"""Whatever names are given: generated C, MATLAB and Python is valid, and each name keeps its meaning."""

import ctypes
import itertools
import json
import keyword
import re
import shutil
import subprocess

import numpy as np
import pytest
from children import PATIENCE
from samples import sample

import hapsis as hs
from hapsis.compiler.backends.export import export
from hapsis.compiler.backends.identifiers import LONGEST, is_reserved, reduced, unique
from hapsis.compiler.backends.interface import interface

GCC = shutil.which("gcc")
needs_gcc = pytest.mark.skipif(GCC is None, reason="gcc is not installed")
STRICT = ["-std=c99", "-ffp-contract=off", "-Wall", "-Wextra", "-pedantic", "-Werror"]

# words of the languages, macros, our own names, and what would break out of a name
WORDS = (
    "while int end lambda class new this elseif in is p w x y v0 v1 v12 hs_sincos hs_exp HS_APART sqrt sin "
    "floor memcpy NAN M_PI NULL I i j linux math abs float nargin ans f0 in0 out0 count stored p_count "
    "selftest test main double a a_2 A p_a p_while a. a_ _a __a arm arm_p None self end_ e1 1e5 007 0x10"
).split()
SIGNS = [
    "",
    " ",
    "\n",
    "\0",
    "*/ int main(void) {} /*",
    '"; system("x"); "',
    "%d%n",
    "??/",
    "\\",
    "'''",
    "$(id)",
]
LETTERS = ["é", "θ", "Ω", "\u202egnirts", "\U0001f600", "ﷺ", "Ａ", "²", "µ", "ß", "名", "x\u0301", "٣"]
LONG = ["x" * 200, "x" * 199 + "y", "arm.mass" * 25, "n" * 1_000_000]


def random_names(draw, count):
    """Different names, many of which differ only in what an identifier cannot have."""
    names = {}
    while len(names) < count:
        parts = draw.integers(1, 4)
        pieces = [str(draw.choice([WORDS, SIGNS, LETTERS][draw.integers(3)])) for _ in range(parts)]
        name = str(draw.choice([".", "_", "-", "", " "])).join(pieces) if draw.random() < 0.6 else pieces[0]
        if draw.random() < 0.06:
            name = LONG[draw.integers(len(LONG))]
        names[name] = None
    return list(names)


def random_functions(draw):
    """A few Functions that share parameters, with random names everywhere; blocks and a table inside."""
    names = iter([name for name in random_names(draw, 60) if name != "p"])  # no input is called p
    k = [hs.parameter(next(names), float(draw.uniform(0.5, 2.0))) for _ in range(6)]
    functions = []
    title = [next(names) for _ in range(3)]
    for index in range(4):
        x, y = hs.symbols(next(names), 3), hs.symbol(next(names))
        own = draw.permutation(6)[:3]
        s = hs.symbol("s")
        body = hs.Function(next(names), {next(names): s}, {next(names): hs.sin(s) * k[own[0]]})
        mapped = hs.map(body, x)
        first = mapped * k[own[1]] + y
        second = hs.call(body, y) - k[own[2]] * x[0]
        # two Functions have the same name, and an output may be called like an input
        port = next(names)
        outputs = {port if draw.random() < 0.5 else next(names): first, next(names): second}
        functions.append(hs.Function(title[min(index, 2)], {port: x, next(names): y}, outputs))
    return functions


def states(functions, draw):
    """{true name: value} of parameters, and inputs and expected outputs of each Function."""
    values = {name: float(draw.uniform(0.5, 2.0)) for f in functions for name in f.parameters}
    x, y = draw.normal(size=3), float(draw.normal())
    expected = []
    for f in functions:
        results = hs.compile(f, backend="python")(x, y, p={name: values[name] for name in f.parameters})
        expected.append(np.concatenate([np.ravel(part) for part in results]))
    return values, x, y, expected


def vector(table, values):
    """p in the order of the side table."""
    return np.array([values[entry["name"]] for entry in table["parameters"]])


def check_table(table, functions):
    assert [entry["name"] for entry in table["functions"]] == [f.name for f in functions]
    for entry, f in zip(table["functions"], functions, strict=True):
        assert [port["name"] for port in entry["inputs"]] == [port.name for port in f.inputs]
        assert [table["parameters"][k]["name"] for k in entry["parameters"]] == list(f.parameters)


def check_c(folder, stem, table, functions, state):
    values, x, y, expected = state
    header = (folder / f"{stem}.h").read_text()
    places = re.findall(rf"^    ({stem}_p_\w+),$", header, re.M)
    assert places == [entry["identifier"] for entry in table["parameters"]]
    lib = ctypes.CDLL(str(folder / f"{stem}.so"))
    p = vector(table, values)
    given = [np.array(x), np.array([y]), p]
    for f, entry, result in zip(functions, table["functions"], expected, strict=True):
        out = [np.empty(3), np.empty(1)]
        getattr(lib, entry["identifier"])(*(a.ctypes.data_as(ctypes.c_void_p) for a in [*given, *out]))
        assert np.array_equal(np.concatenate(out), result), f.name[:80]


def check_python(text, stem, table, state):
    values, x, y, expected = state
    scope = {}
    exec(compile(text, "text", "exec"), scope)
    p = [0.0] * scope[f"{stem}_p_count"]
    for entry in table["parameters"]:
        p[scope[entry["identifier"]]] = values[entry["name"]]
    for entry, result in zip(table["functions"], expected, strict=True):
        ports = entry["inputs"]
        # arguments by name: they are what the table says
        named = {ports[0]["identifier"]: x.tolist(), ports[1]["identifier"]: y}
        got = scope[entry["identifier"]](**named, p=p)
        assert np.allclose(np.concatenate([np.ravel(part) for part in got]), result, rtol=1e-12, atol=1e-12)


MATLAB_WORDS = frozenset(
    "break case catch classdef continue else elseif end for function global if otherwise parfor persistent "
    "return spmd switch try while do until unless endfunction endif endwhile".split()
)
# what generated MATLAB calls: no argument may hide it
MATLAB_CALLS = frozenset("sin cos zeros reshape numel isempty nargin min max abs floor sqrt struct".split())


def check_matlab(path, stem, table):
    """What can be known without MATLAB: heads, words, lengths and balance; test_matlab runs the bodies."""
    text = path.read_text()
    assert text.isascii()
    code = re.sub(r"%.*", "", text)
    heads = re.findall(r"^function (?:\[?([\w, ]*)\]? = )?(\w+)\(([\w, ]*)\)$", code, re.M)
    assert len(heads) == code.count("function ") and heads[0][1] == path.stem
    assert len({head[1].lower() for head in heads}) == len(heads)
    for results, name, arguments in heads:
        words = [word for side in (results, arguments) for word in side.split(", ") if word]
        assert all(re.fullmatch(r"[A-Za-z]\w*", word) and len(word) <= 63 for word in (name, *words))
        assert not {name, *words} & (MATLAB_WORDS | MATLAB_CALLS)
        assert len({*words}) == len(words)
    if path.stem != f"{stem}_p":
        entry = next(entry for entry in table["functions"] if entry["identifier"] == path.stem)
        ports = [[port["identifier"] for port in entry[side]] for side in ("outputs", "inputs")]
        assert heads[0] == (", ".join(ports[0]), path.stem, ", ".join([*ports[1], "p"]))
        assert not any(re.fullmatch(r"v\d+", name) for side in ports for name in side)
    opened = len(re.findall(r"\b(?:function|for|if|while)\b", code))
    assert opened == len(re.findall(r"\bend\b", code))
    for word in re.findall(r"[A-Za-z_]\w*", code):
        assert len(word) <= 63, word


STEMS = ["while", "end", "p", "class", "ARM", "a", "x" * 40, "lambda", "main", "sin", "test0"]


@needs_gcc
def test_random_names_keep_their_meaning_in_every_language(tmp_path):
    for seed in range(sample(8, 100)):
        draw = np.random.default_rng(seed)
        functions, stem = random_functions(draw), STEMS[seed % len(STEMS)]
        folder = tmp_path / str(seed)
        for language in ("c", "python", "json"):
            export(folder / stem, functions, language)
        files = export(folder / stem, functions, "matlab")
        assert len({path.name.lower() for path in files}) == len(functions) + 1
        table = json.loads((folder / f"{stem}.json").read_text())
        check_table(table, functions)
        shared = ["-shared", "-fPIC", "-fvisibility=default", f"{stem}.c", "-o", f"{stem}.so", "-lm"]
        subprocess.run([GCC, *STRICT, *shared], cwd=folder, check=True, timeout=PATIENCE)
        state = states(functions, draw)
        check_c(folder, stem, table, functions, state)
        check_python((folder / f"{stem}.py").read_text(), stem, table, state)
        for path in files:
            check_matlab(path, stem, table)


@needs_gcc
def test_headers_are_valid_in_cpp(tmp_path):
    if not shutil.which("g++"):
        pytest.skip("g++ is not installed")
    for seed in range(3):
        functions = random_functions(np.random.default_rng(100 + seed))
        export(tmp_path / f"arm{seed}", functions)
    text = "".join(f'#include "arm{seed}.h"\n' for seed in range(3)) + "int main() { return 0; }\n"
    (tmp_path / "all.cpp").write_text(text)
    subprocess.run(
        ["g++", "-std=c++20", "-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only", "all.cpp"],
        cwd=tmp_path,
        check=True,
        timeout=PATIENCE,
    )


def test_identifiers_are_valid_and_different():
    for seed in range(300):
        draw = np.random.default_rng(seed)
        names = random_names(draw, 50)
        taken, longest = ["count", "x"], int(draw.integers(5, 64))
        made = unique(names, "in", taken=taken, longest=longest, fold=True)
        assert len({name.lower() for name in [*made, *taken]}) == len(names) + 2
        for name in made:
            assert re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", name) and len(name) <= longest + 1
            assert not keyword.iskeyword(name) and not is_reserved(name)
        # a name that is an identifier already is kept
        whole = unique(names, "in")
        for name, identifier in zip(names, whole, strict=True):
            if reduced(name, "in") == name and not is_reserved(name) and len(name) <= LONGEST:
                assert identifier == name


def test_what_is_kept_of_a_name():
    assert unique(["upper.mass", "upper_mass", "bügel θ", "µ", "end", "", "2nd"], "n") == [
        "upper_mass_2",
        "upper_mass",
        "bugel_theta",
        "mu",
        "end_",
        "n5",
        "n6_2nd",
    ]
    q, m = hs.symbols("q", 2), hs.parameter("arm.mass", 2.0)
    step = hs.Function("step", {"q": q}, {"q": q * m})
    entry = interface([step], "arm").entries[0]
    assert (entry.name, entry.inputs, entry.outputs) == ("arm_step", ("q",), ("q_out",))


@pytest.mark.parametrize(("stem", "name"), [*itertools.product(["arm", "x" * 64], ["f", "y" * 300])])
def test_long_stems(stem, name):
    x = hs.symbol("x")
    functions = [hs.Function(name, {"x": x}, {"y": x * k}) for k in (2, 3)]
    names = [entry.name for entry in interface(functions, stem).entries]
    assert len({*names}) == 2 and all(n.startswith(f"{stem}_") for n in names)
    assert max(map(len, names)) <= max(63, len(stem) + 24)
