"""Programs on files: models and results, written and read back."""

import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import hapsis as hs
from bits import program
from bits.scenes import MODELS, double_pendulum, four_bar, state_of


def values(model: hs.Model) -> dict[str, Any]:
    """What tells a model from another: its names and its equations at a state."""
    q, v, a = state_of(model, 8)
    return {
        "names": "\n".join((*model.coordinates, *model.speeds)),
        "limits": model.limits,
        "tau": hs.compile(hs.inverse_dynamics(model))(q, v, a),
    }


def rich() -> hs.Model:
    """A model with most of what a file can hold."""
    return four_bar(
        hs.Spring("spring", "coupler.mid", hs.WORLD.at(0.2, 0, 0.6), 120.0, 1.5, 0.25),
        hs.JointSpring("return", "A", stiffness=1.0, rest=0.2),
        hs.Friction("bearing", "D", coulomb=0.1),
        hs.Stop("stop", "D", stiffness=500.0, damping=2.0, low=-3.0, high=3.0),
        hs.Drive("motor", "A", position="0.3 + 2 * t"),
        hs.Contact("tip", "rocker.end", hs.WORLD.plane("z", at=(0, 0, -2)), friction=0.3),
        hs.Sensor("head", "imu", "rocker.end"),
        poses={"start": {"A": 0.3, "B": 0.4, "D": 1.2}},
        independent=["A"],
    )


@program("files.read")
def read():
    """YAML, URDF, MJCF and MBS files of the examples."""
    names = ("arm.yaml", "arm.urdf", "hopper.xml", "double_pendulum.yaml", "pendulum.yaml", "three_bar.mbs")
    return {name: values(hs.load(MODELS / name)) for name in names}


@program("files.free_base")
def free_base():
    """A robot whose root moves freely."""
    return values(hs.load(MODELS / "arm.urdf", base="free"))


@program("files.written")
def written():
    """YAML of a rich model and of library models, the same after reading; URDF of an arm."""
    outputs: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        models = {"rich": rich(), "eye": hs.library.agile_eye(), "car": hs.library.car(tyres=True)}
        for name, model in models.items():
            path = Path(folder) / f"{name}.yaml"
            hs.save(model, path)
            outputs[name] = path.read_text()
            outputs[f"{name} is the same"] = hs.load(path) == model
        path = Path(folder) / "arm.urdf"
        hs.save(hs.load(MODELS / "arm.urdf"), path)
        return outputs | {"urdf": path.read_text(), "from urdf": values(hs.load(path))}


@program("files.results")
def results():
    """A result as CSV, NPZ, a plot and a page."""
    result = hs.simulate(double_pendulum(), until=0.5, start={"shoulder": 0.3}, every=0.01)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        result.save(place / "x.csv")
        result.save(place / "x.npz")
        result.plot("shoulder", "energy").save(place / "x.svg")
        back = hs.load(place / "x.npz")
        return {
            "csv": (place / "x.csv").read_bytes(),
            "svg": (place / "x.svg").read_text(),
            "npz": back,
            "units": "\n".join(f"{name} {unit}" for name, unit in result.units.items()),
            "same": bool(np.array_equal(back["energy"], result["energy"])),
        }


@program("files.bouncing_ball")
def bouncing_ball():
    """A file with a contact, simulated."""
    return {"result": hs.simulate(hs.load(MODELS / "bouncing_ball.yaml"), until=0.5, every=0.01)}
