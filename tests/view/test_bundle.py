"""The committed scripts of the pages are those of the sources; nothing in them asks for anything."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

import hapsis.view

WEB = Path(hapsis.view.__file__).parent / "web"
CLIENT = WEB.parent / "client"
BUILT = ("scene.js", "player.js", "share.js", "start.js", "worker.js", "LICENSES.txt")
NODE, NPM = shutil.which("node"), shutil.which("npm")


def same_as_committed(web: Path, folder: Path) -> None:
    assert NODE
    folder.mkdir(exist_ok=True)
    subprocess.run([NODE, "build.mjs", str(folder)], cwd=web, check=True, timeout=300)
    for name in BUILT:
        built, committed = (folder / name).read_bytes(), (CLIENT / name).read_bytes()
        assert built == committed, f"{name} is not that of the sources: run `node build.mjs` in {WEB.name}/"


@pytest.mark.skipif(NODE is None, reason="no node to build the scripts with")
@pytest.mark.skipif(
    not (WEB / "node_modules" / "esbuild").is_dir(), reason="no node_modules: npm ci in view/web"
)
def test_the_bundles_are_those_of_the_sources(tmp_path):
    same_as_committed(WEB, tmp_path)


@pytest.mark.peers
@pytest.mark.skipif(NPM is None, reason="no npm to fetch the packages with")
def test_the_bundles_are_those_of_the_sources_and_of_the_locked_packages(tmp_path):
    assert NPM
    web = tmp_path / "web"
    shutil.copytree(WEB, web, ignore=shutil.ignore_patterns("node_modules"))
    fetched = subprocess.run([NPM, "ci", "--silent"], cwd=web, capture_output=True, text=True, timeout=300)
    if fetched.returncode:
        pytest.skip(f"npm ci could not fetch the packages: {fetched.stderr.strip()[-200:]}")
    same_as_committed(web, tmp_path / "built")


@pytest.mark.skipif(NODE is None, reason="no node to check the types with")
@pytest.mark.skipif(
    not (WEB / "node_modules" / "typescript").is_dir(), reason="no node_modules: npm ci in view/web"
)
def test_the_sources_have_sound_types():
    assert NODE
    compiler = WEB / "node_modules" / "typescript" / "bin" / "tsc"
    result = subprocess.run(
        [NODE, str(compiler), "--noEmit"], cwd=WEB, capture_output=True, text=True, timeout=300
    )
    assert result.returncode == 0, result.stdout


def test_the_licence_of_three_comes_with_it():
    text = (CLIENT / "LICENSES.txt").read_text(encoding="utf-8")
    assert "three.js" in text and "MIT License" in text and "THE SOFTWARE IS PROVIDED" in text


@pytest.mark.parametrize("name", ["scene.js", "player.js", "share.js", "start.js", "worker.js"])
def test_scripts_fit_into_a_page(name):
    text = (CLIENT / name).read_text(encoding="ascii")
    assert "</script" not in text and "<!--" not in text
    assert len(text) < 700_000


def test_no_address_of_a_registry_is_in_the_sources():
    files = [f for f in WEB.rglob("*") if f.is_file() and "node_modules" not in f.parts]
    for file in files:
        assert not re.search(r"registry\.|\"resolved\"", file.read_text(encoding="utf-8")), file.name
