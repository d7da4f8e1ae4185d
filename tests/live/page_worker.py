"""Runs the file of a page's worker in Node."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from children import PATIENCE

import hapsis as hs

NODE = shutil.which("node")
needs_node = pytest.mark.skipif(NODE is None, reason="Node is not installed")
WORKER = Path(hs.__file__).parent / "view" / "client" / "worker.js"
HEAD = """
const { readFileSync, writeFileSync } = require("node:fs");
eval(readFileSync(process.argv[2], "utf8"));
const content = JSON.parse(readFileSync(process.argv[3], "utf8"));
const { Simulation, Host, npz } = globalThis.hapsis;
const show = (value) => console.log(JSON.stringify(value));
"""


def node(folder, content, text):
    """What a program says that gets `content`, `Simulation` and `Host`, and shows one value."""
    (folder / "content.json").write_text(json.dumps(content))
    (folder / "program.cjs").write_text(HEAD + "(async () => {" + text + "})();")
    done = subprocess.run(
        [NODE, "program.cjs", str(WORKER), "content.json"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
