"""Every block that README and the documentation print is run as printed, from an empty home folder."""

import operator
import re
import shutil
import subprocess

import pytest
from printed_blocks import PAGES, ROOT, alike, blocks, commands, environment, program, ran

import hapsis
from hapsis.compiler.backends import cache_folder

GALLERY = ROOT / "docs" / "gallery.md"  # tests/test_docs.py runs each of its blocks as a process of its own
PROGRAMS = [
    path for path in PAGES if path != GALLERY and any(block.kind == "python" for block in blocks(path))
]
# blocks that are not run as printed, by page and first line, and why
NOT_RUN = {
    ("README.md", "./run demo          # sets everything up, makes a page of a"): "tests of the script",
    ("docs/install.md", "./run demo          # makes .venv in the folder, runs the de"): "the same",
    ("docs/install.md", "python3 -m venv hapsis-env"): "tools/try_wheel.py does it, with a network",
    ("docs/examples.md", ".venv/bin/python examples/01_pendulum.py"): "tests/test_examples.py runs them all",
    (
        "docs/command_line.md",
        'arm.yaml:14:3: joint "elbow" hangs from body "uper", which d',
    ): "an error of a wrong file",
    ("docs/command_line.md", "$ hapsis simulate car.yaml --until 1"): "someone presses Ctrl-C",
    ("docs/command_line.md", "$ hapsis rtcheck --rate 1000 --seconds 60 --save lateness.sv"): "a minute",
    ("docs/command_line.md", "$ hapsis rtcheck --rate 1000 --seconds 2"): "a verdict on the machine",
    (
        "docs/compiler.md",
        "void arm_inverse_dynamics(const double *q, const double *v,",
    ): "a line of the header",
    ("docs/compiler.md", "double p[arm_p_count], tau[2];"): "lines of a function in C",
    ("docs/compiler.md", "arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb -mfpu=fpv4-sp-d16"): "a cross compiler",
    ("docs/compiler.md", "mex demo_spring_sfun.c demo.c"): "MATLAB",
    ("docs/devices.md", "#include <stdint.h>"): "firmware of a device",
    (
        "docs/verbs/export_program.md",
        "cc -std=c99 -O2 -ffp-contract=off build/pendulum.c -o pendul",
    ): "tests/motion/simulate/test_export_program.py builds and runs programs",
    (
        "docs/verbs/export_program.md",
        "cc -std=c99 -O2 -ffp-contract=off build/ball.c build/ball_fl",
    ): "programs of hybrids are built and run by tests of their own",
    ("docs/verbs/export_program.md", "# ---- parameters"): "lines of a file that the page prints",
    ("docs/verbs/export_program.md", 'pendulum.in:13: "arm.maas" is no quantity of this program'): "an error",
    ("docs/many_runs.md", "from distributed import Client"): "a cluster",
    ("docs/many_runs.md", "client = Client(n_workers=8, threads_per_worker=1)"): "a cluster",
    (
        "docs/sharing.md",
        '<iframe src="slider_crank.html#stage" title="Slider-crank" s',
    ): "a part of a web page",
    ("docs/sharing.md", 'recorded = hs.load("Slider-crank.npz")'): "a file that somebody saves from a page",
}
# files and texts that another test of this module takes: models, errors and tables that programs print
SHOWN = {
    "docs/coming_from.md": r"0\.\d+ m, then",
    "docs/compiler.md": 'import { load } from "./(demo|crank).mjs"',
    "docs/designs.md": "hapsis: 1",
    "docs/files.md": "hapsis: 1|contacts:",
    "docs/verbs/equilibrium.md": "no equilibrium",
    "docs/verbs/modes.md": "mode ",
    "docs/verbs/partition.md": "independent ",
    "docs/verbs/reach.md": "frame ",
    "docs/verbs/simulate.md": "a step of",
}
TAKEN = ("docs/compiler.md", "docs/designs.md", "docs/files.md")  # by tests of their own
STATUS = {"--step 0.6": 1, "arm.mas=2": 2}  # of commands that do not succeed
COMMANDED = [path for path in PAGES if any(block.kind == "commands" for block in blocks(path))]
REMARK = re.compile(r"^ *print\(.*\)  # ([A-Z]\w+\(.*\))$", re.M)  # what a line prints, as Result(...)
LONG = ("hapsis bench ",)  # commands that measure for minutes


def test_every_block_is_run_or_listed():
    known = set()
    for block in (block for path in PAGES for block in blocks(path)):
        if block.name in NOT_RUN:
            known.add(block.name)
        elif block.kind == "other":
            assert re.match(SHOWN.get(block.page, "nothing"), block.text), block.name
        elif block.kind == "signatures":
            for name in re.findall(r"^hs\.([\w.]+)\(", block.text, re.M):
                assert operator.attrgetter(name)(hapsis), block.name
    assert known == NOT_RUN.keys()


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    """What pages compile, for the pages after them: a folder that is empty at first."""
    return tmp_path_factory.mktemp("compiled")


@pytest.mark.slow
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_printed_programs_run(path, tmp_path):
    """From an empty home folder, with what other tests compiled; that of README without it."""
    file = tmp_path / f"{path.stem}.py"
    file.write_text(program(path), encoding="utf-8")
    if '"examples/models/' in program(path):
        shutil.copytree(ROOT / "examples" / "models", tmp_path / "examples" / "models")
    cold = path.name == "README.md" or cache_folder.chosen() is None
    variables = environment(tmp_path / "home", None if cold else cache_folder.chosen().parent)
    done = ran(f"python {file.name}", tmp_path, variables)
    assert done.returncode == 0, done.stderr
    for text in REMARK.findall(program(path)):
        pattern = ".*".join(map(re.escape, text.split("...")))
        assert re.search(pattern, done.stdout), f"the page says {text}, which is not printed"
    page = path.relative_to(ROOT).as_posix()
    for block in blocks(path):
        if block.kind == "other" and block.name not in NOT_RUN and page in SHOWN and page not in TAKEN:
            assert alike(f"...\n{block.text}\n...", done.stdout, [tmp_path]), block.text


@pytest.mark.slow
@pytest.mark.parametrize("path", COMMANDED, ids=lambda path: path.stem)
def test_printed_commands_run(path, tmp_path, compiled):
    """In a folder with the models of the examples, from an empty home folder."""
    shutil.copytree(ROOT / "examples" / "models", tmp_path / "examples" / "models")
    folder = tmp_path
    if path.name == "command_line.md":
        folder = tmp_path / "examples" / "models"
    variables, problems = environment(tmp_path / "home", compiled), []
    for block in blocks(path):
        if block.kind != "commands" or block.name in NOT_RUN:
            continue
        for command, printed in commands(block):
            if command.startswith(LONG):
                continue
            done = ran(command, folder, variables)
            status = next((x for words, x in STATUS.items() if words in command), 0)
            shown = done.stdout + (done.stderr if status else "")
            if done.returncode != status or (printed and not alike(printed, shown, [compiled, tmp_path])):
                problems.append(f"{command}\nprinted:\n{printed}\nshown:\n{shown}")
    assert not problems, "\n".join(problems)


def printed_by_node(text, folder):
    """What a block in JavaScript prints, in Node."""
    (folder / "use.mjs").write_text(text, encoding="utf-8")
    done = subprocess.run(["node", "use.mjs"], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def javascript(name):
    """The block of the page on the compiler that loads a module of this name."""
    page = ROOT / "docs" / "compiler.md"
    (text,) = (b.text for b in blocks(page) if b.text.startswith(f'import {{ load }} from "./{name}.mjs"'))
    return text


@pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")
def test_the_step_in_javascript_of_the_page_on_the_compiler_runs(tmp_path):
    """101 steps, the first without an effort; the number by the compiled step here."""
    step = hapsis.stepper(hapsis.library.slider_crank(), 1e-3, inputs=["crank"], outputs=["slider"])
    hapsis.export(tmp_path / "crank", [step], language="wasm")
    native = hapsis.compile(step, contract=False)
    state = native()
    for _ in range(100):
        state = native(*state[:3], 0.2)
    assert float(printed_by_node(javascript("crank"), tmp_path)) == float(state[-1])


@pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")
def test_the_javascript_of_the_page_on_the_compiler_runs(tmp_path):
    """Beside what `export` writes of the page's spring; numbers by the interpreter in Python."""
    x = hapsis.symbols("x", 3)
    k, rest = hapsis.parameter("stiffness", 200.0), hapsis.parameter("rest", 0.5)
    r = hapsis.sqrt(x @ x)
    spring = hapsis.Function("spring", {"x": x}, {"force": -k * (r - rest) * x / r})
    hapsis.export(tmp_path / "demo", [spring], language="wasm")
    printed = printed_by_node(javascript("demo"), tmp_path)
    shown = [[float(n) for n in row.split(",")] for row in re.findall(r"\[\s*(.*?)\s*\]", printed)]
    judge = hapsis.compile(spring, "python")
    assert shown == [judge([0, 0, 0.6]).tolist(), judge([0, 0, 0.6], p={"stiffness": 100.0}).tolist()]


def test_the_models_of_the_page_on_files_are_read(tmp_path):
    arm, ball = (block.text for block in blocks(ROOT / "docs" / "files.md") if block.kind == "other")
    (tmp_path / "arm.yaml").write_text(arm, encoding="utf-8")
    assert len(hapsis.load(tmp_path / "arm.yaml").sensors) == 2
    bodies = (
        "hapsis: 1\nbodies: {ball: {mass: 1}}\njoints: {z: {type: prismatic, first: world, second: ball}}\n"
    )
    (tmp_path / "ball.yaml").write_text(bodies + ball, encoding="utf-8")
    assert list(hapsis.load(tmp_path / "ball.yaml").contacts) == ["floor"]


def test_the_components_of_the_page_on_designs_are_read(tmp_path):
    """Beside a mesh of its crank: a bar of 220 mm, 20 mm and 10 mm, in millimetres."""
    (text,) = (block.text for block in blocks(ROOT / "docs" / "designs.md") if block.kind == "other")
    (tmp_path / "linkage.yaml").write_text(text, encoding="utf-8")
    corners = [(x, y, z) for x in (-10, 210) for y in (-10, 10) for z in (-5, 5)]
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    triangles = [(a, *pair) for a, b, c, d in faces for pair in ((b, c), (c, d))]
    facets = "".join(
        "facet normal 0 0 0\nouter loop\n"
        + "".join("vertex {} {} {}\n".format(*corners[i]) for i in triangle)
        + "endloop\nendfacet\n"
        for triangle in triangles
    )
    (tmp_path / "crank.stl").write_text(f"solid crank\n{facets}endsolid crank\n", encoding="ascii")
    parts = hapsis.load_cad(tmp_path / "linkage.yaml")
    assert parts["crank"].mass == pytest.approx(7850 * 0.22 * 0.02 * 0.01, rel=1e-9)
    assert parts["crank"].com == pytest.approx((0.1, 0, 0), abs=1e-12)
    assert set(parts["base"].anchors) >= {"A", "D"} and parts["base"].mass == 2


def test_what_is_shown_is_compared_but_for_numbers():
    assert alike("a 1.5 kg in ~/x", "a  2e-3 kg in /there/y/z", ["/there/y"])
    assert alike("a\n...\nc", "a 1\nb\nc", []) and not alike("a\nc", "a\nb\nc", [])
    assert not alike("mass 1 kg", "mass one kg more", []) and not alike("arm 1", "arn 1", [])
