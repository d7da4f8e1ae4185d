"""`hapsis show`: the player of a saved result, or of a model in its start pose."""

from pathlib import Path

import numpy as np

import hapsis.view as view
from hapsis.commands.files import model_of, moving
from hapsis.commands.json_report import Report
from hapsis.commands.report_layout import print_lines
from hapsis.compiler.backends.compile import compile
from hapsis.errors import Error, ModelError, one_line
from hapsis.mechanics.algebra.quaternions import quaternions
from hapsis.mechanics.drawing.drawing import drawing
from hapsis.mechanics.formalisms.tree.body_poses import body_poses
from hapsis.mechanics.formats.load_save import RESULT, load
from hapsis.mechanics.model.body_shapes import drawn_bodies, drawn_world
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.result import Result
from hapsis.motion.simulate.initial_value_problem import initial_state
from hapsis.view.page import open_page


def show(file: str, out: str, opened: bool, base: str, physical: bool, report: Report | None = None) -> None:
    """Writes the page to `out` if that is given, and opens it if `opened`."""
    if not out and not opened:
        raise Error("--no-open without --out leaves nothing to do", remedy="add --out page.html")
    if Path(file).suffix.lower() == RESULT:
        result = _result(file, base, physical)
        player, warnings = result.player(), result.warnings
        if not result.success and report is None:
            print(one_line(f"{result.status}: {result.message}"))
    else:
        model = moving(file, base, physical)
        player, warnings = still(model_of(model), Path(file).stem), model.warnings
    if report is None:
        print_lines("warning", warnings)
    path = player.save(out) if out else player.show()
    if report is not None:
        report |= {"page": str(path), "warnings": warnings}
    else:
        print(f"{'wrote' if out else 'shown:'} {one_line(str(path))}")
    if out and opened:
        open_page(path)


def _result(file: str, base: str, physical: bool) -> Result:
    if base != "fixed" or not physical:
        raise ModelError("a result takes neither --base nor --not-physical", where=one_line(file))
    return load(file)


def still(model: Model, title: str) -> view.Player:
    """The model in its pose "start", else at zero, as a motion of one frame."""
    poses = np.zeros((1, 1 + len(model.bodies), 7))
    poses[:, :, 3] = 1.0
    q = np.array(model.zero)
    if model.bodies:
        q = initial_state(model, {}, None)[1][: len(model.coordinates)]
        p, R = compile(body_poses(model), "python")(q)
        poses[0, 1:] = np.concatenate([p, quaternions(R)], axis=1)
    up = [-x for x in model.gravity_vector] if any(model.gravity_vector) else [0.0, 0.0, 1.0]
    bodies = [drawn_world(model), *drawn_bodies(model)]
    return view.player(view.Scene(title, [0.0], bodies, poses, up=up, drawing=drawing(model, q)))
