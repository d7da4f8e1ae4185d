"""The documentation builds without a warning, and the programs printed in it run."""

import re
import shutil
import subprocess
import sys
import types
from pathlib import Path

import api_pages
import api_text
import docutils.nodes
import docutils.utils
import gallery
import mathml
import public_names
import pytest
import source_files
from children import PATIENCE
from printed_blocks import PAGES, blocks, program

import hapsis
import hapsis.library
from hapsis.mechanics.formats import load_save

ROOT = Path(__file__).resolve().parents[1]
FIRST_EXAMPLE, FROM_SCRATCH = 20, 250  # lines of code, at most


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The folder of the documentation as HTML, with its live pages."""
    for package in ("sphinx", "myst_parser", "furo"):
        pytest.importorskip(package)
    folder = tmp_path_factory.mktemp("documentation")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-E", "-b", "html"]
    command += ["-d", str(folder / "trees"), str(ROOT / "docs"), str(folder / "html")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "html"


@pytest.mark.slow
def test_the_documentation_builds(built):
    assert (built / "index.html").exists()
    for page in built.rglob("*.html"):  # formulas and all else lie in the folder
        fetched = re.findall(
            r'<(?:script|link|img|iframe)[^>]*(?:src|href)="(https?://[^"]*)', page.read_text()
        )
        assert fetched == [], page.name


@pytest.mark.slow
@pytest.mark.parametrize("name", gallery.programs())
def test_a_page_of_the_gallery_moves_alone_and_is_quiet(built, window, name):
    """It is opened from disk; it shows frames, moves, prints nothing and asks for nothing."""
    path = built / "gallery" / f"{name}.html"
    assert path.stat().st_size < (
        1e6 if name not in ("agile_eye", "stewart", "whipple_bicycle", "pile", "jelly_cube") else 1.5e6
    )  # several partitions, contacts that are solved, or particles
    page = window.open(path, 900, 620)
    page.until("document.getElementById('badge').textContent !== '' && window.hapsis.ticks > 20")
    assert page.value("document.getElementById('trouble').hidden")
    bodies = page.value("window.hapsis.content.handles.map(handle => handle.body)")
    assert bodies and page.value("window.hapsis.content.name") == page.value("document.title")
    assert page.complaints() == []
    assert [url for url in page.requests() if not url.startswith("blob:")] == [page.url]
    page.close()


PULLS = """
const { readFileSync } = require("node:fs");
eval(readFileSync(process.argv[2], "utf8"));
let seed = 1;
const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
(async () => {
  const text = readFileSync(process.argv[3], "utf8");
  const content = JSON.parse(text.match(/id="content">([^<]*)</)[1]);
  const s = await globalThis.hapsis.Simulation.create(content);
  for (let pull = 0; pull < 10 && !s.trouble; pull++) {
    s.reset(true);
    for (let k = 0; k < 300; k++) s.tick();
    s.look();
    const body = Math.floor(random() * content.handles.length), point = [...s.motion(body).p];
    s.grab(body, point);
    for (let part = 0; part < 4; part++) {
      s.move(point.map((x) => x + 0.4 * content.scene.size * (random() - 0.5)));
      for (let k = 0; k < 300; k++) s.tick();
    }
    s.release();
    for (let k = 0; k < 1000; k++) s.tick();
  }
  console.log(s.trouble);
})();
"""


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")
@pytest.mark.parametrize("name", gallery.programs())
def test_a_mechanism_of_the_gallery_bears_being_pulled(built, tmp_path, name):
    """Ten pulls of any body, by up to a fifth of the picture to each side: it goes on as a motion."""
    (tmp_path / "pulls.cjs").write_text(PULLS)
    worker = ROOT / "src" / "hapsis" / "view" / "client" / "worker.js"
    command = ["node", str(tmp_path / "pulls.cjs"), str(worker), str(built / "gallery" / f"{name}.html")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "\n", "")


@pytest.mark.slow
def test_the_gallery_brings_to_life_what_is_seen_and_lets_the_rest_rest(built, window):
    """Pictures at first; a page in view runs, at most three do, and one that is left is a picture again."""
    page = window.open(built / "gallery.html", 1280, 900)
    names = [*gallery.programs()]
    count = "document.querySelectorAll('figure.live').length"
    assert page.value(count) == len(names)
    frames = "[...document.querySelectorAll('iframe')].map(f => f.src.match(/([^/]+)\\.html/)[1])"
    for k in (1, 7, 11, 0):
        page.value(f"document.querySelectorAll('figure.live')[{k}].scrollIntoView({{block: 'center'}})")
        page.until(f"{frames}.includes({names[k]!r}) && document.querySelector('iframe.ready') !== null")
        assert len(page.value(frames)) <= 3
    page.until(f"!{frames}.includes({names[11]!r})")
    sheet = "document.querySelector('figure.live .sheet').hidden"
    assert page.value(sheet) is False  # the wheel belongs to the text
    page.click("figure.live .sheet")
    assert page.value(sheet) is True
    assert page.complaints() == []
    folder = built.resolve().as_uri()
    assert [url for url in page.requests() if not url.startswith((folder, "blob:"))] == []
    page.close()


def test_every_block_of_the_gallery_is_a_page_of_its_own():
    """So all of them are run when the documentation is built."""
    page = [block for block in blocks(ROOT / "docs" / "gallery.md") if block.kind == "python"]
    assert len(gallery.programs()) == len(page) - 1


def test_every_mechanism_of_the_gallery_has_its_picture():
    text = (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")
    for name in gallery.programs():
        assert f"](_static/library/{name}.png)" in text and name in hapsis.library.__all__


def test_every_public_name_has_one_place_in_the_api():
    pages = api_pages.names_by_page()
    places = [name for entries in pages.values() for name, _ in entries]
    public = {name for name, _ in public_names.public_names()} - {"__version__"}
    assert len(places) == len(set(places)) and set(places) == public
    index = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    for name, entries in pages.items():
        assert f"\napi/{name}\n" in index and entries
        text = api_pages.page(name, entries)
        assert all(f":: hapsis.{public}\n" in text for public, _ in entries)


def test_docstrings_become_lists_blocks_and_text():
    lines = [
        "First `line`.",
        "",
        "until   s, the end",
        "        of it",
        "where   internal",
        "",
        "    F = k x",
        "",
        "Last.",
    ]
    api_text.docstring(None, "", "", None, None, lines)
    assert lines[:5] == ["First \\ ``line``\\ .", "", "``until``", "    s, the end of it", ""]
    assert lines[5:] == [".. code-block:: none", "", "    F = k x", "", "Last.", ""]


def test_formulas_are_written_as_mathml():
    document = docutils.utils.new_document("page.md")
    document += docutils.nodes.math_block("", r"\frac{1}{2} = x_1^2")
    writer = types.SimpleNamespace(body=[])
    with pytest.raises(docutils.nodes.SkipNode):
        mathml.block(writer, document[0])
    assert "<mfrac>" in writer.body[0] and "<math" in writer.body[0]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        (r"\tfrac12 k x^2", r"\tfrac{1}{2} k x^2"),
        (r"\frac12\,k", r"\frac{1}{2}\,k"),
        (r"\frac1{x y}", r"\frac{1}{x y}"),
        (r"\frac{a}{b} x^10", r"\frac{a}{b} x^{1}0"),
        (r"\frac{1}{2}", r"\frac{1}{2}"),
        (r"\dot h_i + \hat y_k", r"{\dot h}_i + {\hat y}_k"),
    ],
)
def test_fractions_mean_what_they_mean_in_tex(written, meant):
    assert mathml.with_braces(written) == meant


def test_a_half_is_one_over_two():
    half = [page for page in PAGES if r"\tfrac12" in page.read_text(encoding="utf-8")]
    assert half
    shown = mathml.latex2mathml.tex2mathml(mathml.with_braces(r"\tfrac12\,k"))
    assert re.search(r"<mfrac[^>]*>\s*<mn>1</mn>\s*<mn>2</mn>", shown)


def lines_of_code(name):
    source = program(ROOT / name)
    return len([line for line in source.splitlines() if line.strip()])


def test_the_short_programs_are_short():
    assert 0 < lines_of_code("README.md") <= FIRST_EXAMPLE
    assert 0 < lines_of_code("docs/from_scratch.md") <= FROM_SCRATCH


def test_the_list_of_source_files_is_made_from_their_first_lines():
    text, package = source_files.page(), ROOT / "src" / "hapsis"
    for path in package.rglob("*.py"):
        assert path.name in ("__init__.py", "__main__.py") or f"| `{path.name}` |" in text, path


def test_the_architecture_page_names_only_what_exists():
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    named = re.findall(r"`((?:[a-z_]+/)+(?:[a-z_0-9]+\.py)?)`", text)
    package = ROOT / "src" / "hapsis"
    assert (
        named
        and [name for name in named if not (package / name).exists() and not (ROOT / name).exists()] == []
    )


def test_pages_name_only_files_that_exist():
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    named = {
        (page.name, name)
        for page in pages
        for name in re.findall(r"`((?:[a-z_0-9]+/)+[a-z_0-9]+\.py)`", page.read_text(encoding="utf-8"))
    }
    folders = (ROOT, ROOT / "src", ROOT / "src" / "hapsis")
    missing = [entry for entry in named if not any((folder / entry[1]).exists() for folder in folders)]
    assert named and missing == []


def test_every_verb_of_the_mechanics_has_a_page():
    text = (ROOT / "docs" / "verbs" / "README.md").read_text(encoding="utf-8")
    modules = ("hapsis.mechanics.formalisms.", "hapsis.mechanics.formats.")
    verbs = [
        name
        for module, names in hapsis._HOMES.items()
        for name in names.split()
        if module.startswith(modules) and name.islower()
    ]
    assert verbs and [name for name in verbs if f"`{name}`" not in text] == []


def test_block_lines_keep_their_numbers():
    path = ROOT / "README.md"
    first = next(block for block in blocks(path) if block.kind == "python")
    assert program(path).splitlines()[first.line - 1] == path.read_text().splitlines()[first.line - 1]


def test_the_page_on_files_has_every_format():
    """Each ending that is read is in the table, with whether it is written."""
    page = (ROOT / "docs" / "verbs" / "load_save.md").read_text()
    rows = [
        [cell.strip() for cell in line.split("|")[1:-1]] for line in page.splitlines() if line[:3] == "| `"
    ]
    table = {ending: row for row in rows for ending in re.findall(r"`(\.\w+)`", row[0])}
    assert set(table) == {*load_save.ENDINGS, *load_save.MUJOCO, load_save.ROBOTRAN, load_save.RESULT}
    assert {ending for ending, row in table.items() if row[3] == "yes"} == set(load_save.ENDINGS)
