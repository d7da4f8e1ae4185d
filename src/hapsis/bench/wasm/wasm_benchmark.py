"""`hapsis bench wasm`: one step of the same model, three times.

    wasm     our WebAssembly module in Node, whose numbers have the bits of the interpreter
    native   our native code without fused products, one state at a time
    mujoco   mj_step of MuJoCo's own WebAssembly build (npm: @mujoco/mujoco) in the same Node, by its Euler
             method, which is ours too; contacts, limits and friction take no part

The rival is found where Node finds packages: in a folder named by NODE_PATH, or among those with which the
scripts of our pages are built.
"""

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from hapsis.bench import robots
from hapsis.bench.contest import readable
from hapsis.bench.dynamics.dynamics_mujoco import loaded
from hapsis.bench.dynamics.dynamics_ours import model_of
from hapsis.bench.kernel_loops import singles
from hapsis.bench.rivals import DRIVERS, Missing, rival
from hapsis.bench.robots import Robot
from hapsis.bench.stopwatch import per_state
from hapsis.bench.watch import SILENT, Watch, each
from hapsis.compiler.backends.compile import compile
from hapsis.compiler.backends.llvm.code import Part
from hapsis.compiler.backends.llvm.llvm import LlvmKernel
from hapsis.compiler.backends.wasm.wasm import Exported, wasm_module
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.passes.parts import hoisted
from hapsis.motion.simulate.stepper import stepper

Row = dict[str, Any]
NAMES = ("panda", "aligned 30", "general 30", "talos")
PERIOD = 1e-3  # s
LIMIT = 300.0  # s for Node
PAGES = Path(__file__).parents[2] / "view" / "web" / "node_modules"
OFFSET = 0.1  # of all coordinates and speeds from their zeros


def run(names: Sequence[str] | None = None, quick: bool = False, watch: Watch = SILENT) -> Row:
    """All figures; `names` are those of `NAMES`. `quick` measures shortly."""
    notes: list[str] = []
    budget = 0.2 if quick else 2.0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        models = readable(names or NAMES, robots.robot, folder, notes)
        rows = each(
            watch,
            models,
            lambda robot: robot.name,
            lambda robot: measured(robot, folder, budget, notes),
            line,
        )
    return {"cases": rows, "notes": list(dict.fromkeys(notes))}


def measured(robot: Robot, folder: Path, budget: float, notes: list[str]) -> Row:
    """Seconds of a step in each way, and by how much the results differ."""
    step = stepper(model_of(robot), PERIOD, method="euler")
    before, kernel = hoisted(step)
    module = wasm_module([Exported("step", kernel, range(len(kernel.parameters)))])
    p = np.array([*step.parameters.values()])
    prepared = p if before is None else np.concatenate([np.ravel(x) for x in _outputs(before, [])])
    inputs = [np.ravel(port.stand_in) + OFFSET for port in kernel.inputs]
    table = {
        "inputs": [x.tolist() for x in inputs],
        "prepared": prepared.tolist(),
        "outputs": [len(port.refs) for port in kernel.outputs],
        "rival": _rival_model(robot, notes),
        "speeds": inputs[1].tolist(),
        "budget": budget,
    }
    (folder / "step.wasm").write_bytes(module.bytes)
    (folder / "step.json").write_text(json.dumps(table))
    answer = _node(folder, notes)
    exact = np.concatenate([np.ravel(x) for x in _outputs(step, inputs)])
    arrays = [x[None].copy() for x in [*inputs, *([prepared] if len(prepared) else [])]]
    results = [np.zeros((1, len(port.refs))) for port in kernel.outputs]
    native = singles(LlvmKernel(Part(step), "f64", False, LIMIT, 1, True), arrays, results, False)
    row: Row = {"name": robot.name, "operations": step.price, "bytes": len(module.bytes)}
    row["native_s"] = per_state(native, 1, budget)
    if answer:
        row["wasm_s"] = answer["ours"]
        row["over_native"] = answer["ours"] / row["native_s"]
        row["same_bits"] = bool((np.concatenate(answer["result"]) == exact).all())
    if answer.get("rival"):
        row["mujoco_s"] = answer["rival"]
        row["times_faster"] = answer["rival"] / answer["ours"]
        if not robot.free:  # joints are in the same order
            speeds = exact[len(inputs[0]) :][: len(inputs[1])]
            row["difference"] = float(np.abs(speeds - answer["speeds"]).max())
    return row


def _outputs(function: Function, inputs: list[Any]) -> list[Any]:
    """What the interpreter gives, as a list."""
    result = compile(function, "python")(*inputs)
    return list(result) if len(function.outputs) > 1 else [result]


def _rival_model(robot: Robot, notes: list[str]) -> str:
    """The robot as MuJoCo writes it; an empty text, and a note, where the rival cannot take part."""
    try:
        mujoco = rival("mujoco")
        model = loaded(robot)
    except Missing as problem:
        notes.append(str(problem))
        return ""
    model.opt.timestep = PERIOD
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "robot.xml"
        mujoco.mj_saveLastXML(str(path), model)
        return path.read_text()


def _node(folder: Path, notes: list[str]) -> Row:
    """What Node measures; nothing, and a note, without Node."""
    node = shutil.which("node")
    if node is None:
        notes.append("Node is not installed: WebAssembly is left out")
        return {}
    driver = DRIVERS / "wasm_steps.mjs"
    if not driver.exists():
        notes.append("the driver in JavaScript comes with the repository only")
        return {}
    places = [*os.environ.get("NODE_PATH", "").split(os.pathsep), str(PAGES)]
    package = next((p for x in places if x and (p := Path(x, "@mujoco/mujoco/mujoco.js")).exists()), "")
    if not package:
        notes.append("@mujoco/mujoco is not installed (npm install it, and name its folder in NODE_PATH)")
    done = subprocess.run(
        [node, str(driver), str(folder), str(package)], capture_output=True, text=True, timeout=LIMIT
    )
    if done.returncode:
        notes.append(f"Node fails: {(done.stderr.strip() or 'without a word').splitlines()[-1][:200]}")
        return {}
    return json.loads(done.stdout.splitlines()[-1])


def line(row: Row) -> str:
    """One model in a line."""
    return f"{row['name']}: " + ", ".join(f"{name} {text}" for name, text in _cells(row))


def report(result: Row) -> str:
    """The figures as lines, and the notes."""
    lines = [line(row) for row in result["cases"]]
    return "\n".join([*lines, *(f"note: {note}" for note in result["notes"])])


def _cells(row: Row) -> list[tuple[str, str]]:
    cells = [(f"native {row['operations']:.0f} operations", f"{1e6 * row['native_s']:.3g} µs")]
    if "wasm_s" in row:
        bits = "same bits as the interpreter" if row["same_bits"] else "OTHER BITS than the interpreter"
        cells.append(("wasm", f"{1e6 * row['wasm_s']:.3g} µs ({row['over_native']:.2f} of native; {bits})"))
    if "mujoco_s" in row:
        cells.append(("mujoco", f"{1e6 * row['mujoco_s']:.3g} µs ({row['times_faster']:.1f} times ours)"))
    return cells
