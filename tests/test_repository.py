"""Habits of the repository that a machine can check."""

import ast
import importlib
import importlib.metadata
import io
import re
import subprocess
import tokenize
import tomllib
from pathlib import Path

import pytest

import hapsis
from hapsis import doctor

ROOT = Path(__file__).resolve().parents[1]
MADE = {".git", ".venv", ".uv", ".uv-cache", "_build", "build", "dist", "__pycache__", "shared"}
MADE |= {".pytest_cache", ".ruff_cache", ".import_linter_cache", ".hypothesis"}
REQUIREMENTS = sorted((ROOT / "requirements").glob("*.txt"))
PIN = re.compile(r"^([a-z0-9-]+)==(\S+)( ; [^\\]+)? \\$")
KEY = re.compile(r"(?<![\w\])`])\[([A-Z][A-Za-z]{2,}[0-9]*)\](?![(\w\[:])")
LONGEST = 400  # lines of one source file


def files():
    """The tracked and the new files of the repository, or of an unpacked copy of it."""
    try:
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT,
            capture_output=True,
            check=True,
            text=True,
        )
        found = [ROOT / name for name in listed.stdout.split("\0") if name]
    except (OSError, subprocess.CalledProcessError):
        found = [path for path in ROOT.rglob("*") if not MADE & set(path.relative_to(ROOT).parts)]
    return [path for path in found if path.is_file()]


def texts():
    for path in files():
        try:
            yield path.relative_to(ROOT), path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue


def test_no_package_index_and_no_machine_path():
    hosts = ["pypi" + ".org", "python" + "hosted", "npm" + "js", "conda" + "-forge"]
    options = ["--index" + "-url", "--extra" + "-index", "--find" + "-links", "--trusted" + "-host"]
    names = "home|root|Users|mnt|srv|work|workspace|tmp|private"
    machine = re.compile(rf"(?<![\w.~$}}/-])/(?:{names})/\w|[A-Z]:\\Users")
    found = []
    for path, text in texts():
        found += [f"{path}: {word}" for word in hosts + options if word in text]
        found += [f"{path}: {hit}" for hit in machine.findall(text)]
    assert not found


@pytest.mark.parametrize("path", REQUIREMENTS, ids=lambda path: path.stem)
def test_requirements_are_pinned_and_hashed(path):
    pinned, hashes = 0, 0
    for line in path.read_text().splitlines():
        if PIN.match(line):
            assert hashes or not pinned, f"no hash before {line}"
            pinned, hashes = pinned + 1, 0
        elif re.fullmatch(r"    --hash=sha256:[0-9a-f]{64}( \\)?", line):
            hashes += 1
        else:
            assert re.match(r"\s*#", line), line
            assert "/" not in line and "://" not in line, line
    assert pinned and hashes


def pins(name):
    lines = (ROOT / "requirements" / f"{name}.txt").read_text().splitlines()
    return {(m[1], m[2], m[3]) for m in map(PIN.match, lines) if m}


def test_requirement_files_agree():
    assert pins("core") <= pins("docs") <= pins("test")
    in_test = {name for name, _, _ in pins("test")}
    assert {pin for pin in pins("peers") if pin[0] in in_test} <= pins("test")


def declared(name):
    lines = (ROOT / "requirements" / f"{name}.in").read_text().splitlines()
    return sorted(x.replace('"', "'") for x in lines if x and not x.startswith(("#", "-r")))


def test_pyproject_and_requirements_declare_the_same():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    groups = project["dependency-groups"]
    assert sorted(project["project"]["dependencies"]) == declared("core")
    assert sorted(groups["docs"]) == declared("docs")
    assert sorted(project["project"]["optional-dependencies"]["docs"]) == declared("docs")
    assert sorted(x for x in groups["test"] if isinstance(x, str)) == declared("test")
    assert sorted(groups["peers"]) == declared("peers")
    names = {re.split("[>=<]", x)[0] for x in declared("core")}
    assert names == set(doctor.CORE)
    extras = project["project"]["optional-dependencies"]
    used = {
        re.split("[>=<]", x)[0] for name in extras if name not in ("docs", "haptics") for x in extras[name]
    }
    assert used <= set(doctor.EXTRA)


def test_one_version():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["version"] == hapsis.__version__


def prose(text):
    """The docstrings and comments of one source file."""
    tree = ast.parse(text)
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    for node in ast.walk(tree):
        if isinstance(node, kinds):
            yield ast.get_docstring(node) or ""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.string


def test_citation_keys_exist():
    known = set(KEY.findall((ROOT / "docs" / "references.md").read_text()))
    assert "RBDA" in known
    used = {}
    for path, text in texts():
        if path.suffix == ".py" and path.parts[0] == "src":
            if known.issuperset(KEY.findall(text)):
                continue  # whether in prose or in code
            keys = KEY.findall("\n".join(prose(text)))
        elif path.suffix == ".md" and path.name != "CHANGELOG.md":
            keys = KEY.findall(re.sub(r"```.*?```", "", text, flags=re.S))
        else:
            continue
        used |= {key: str(path) for key in keys}
    assert {key: path for key, path in used.items() if key not in known} == {}


def test_sources_are_short():
    sources = [(p, t) for p, t in texts() if p.parts[0] == "src" and p.suffix == ".py"]
    assert sources
    long = {str(path): n for path, text in sources if (n := len(text.splitlines())) > LONGEST}
    assert long == {}, "ask whether there are two subjects"


def test_the_readme_names_the_two_commands():
    readme = (ROOT / "README.md").read_text()
    assert "./run demo" in readme and "./run test" in readme
    assert readme.index("./run demo") < readme.index("./run test")


def test_links_between_pages_lead_somewhere():
    broken = []
    for path, text in texts():
        if path.suffix == ".md":
            for target in re.findall(r"(?<!!)\]\(([^)#:]+?)(?:#[^)]*)?\)", text):
                if not (ROOT / path.parent / target).exists():
                    broken.append(f"{path}: {target}")
    assert broken == []


@pytest.mark.peers
@pytest.mark.parametrize("module", ["casadi", "distributed", "exudyn", "mujoco", "pinocchio", "pyarrow"])
def test_peers_are_installed(module):
    importlib.import_module(module)


@pytest.mark.peers
def test_robot_data_is_installed():
    """The package holds files and no module."""
    found = importlib.metadata.files("example-robot-data") or []
    assert any(path.name == "panda.urdf" for path in found)
