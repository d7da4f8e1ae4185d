"""The pages of the API, one for each package: public names and what their docstrings say, no internals.

docs/conf.py writes them into docs/api/ before a build. A class shows the methods that a user calls; those
for a joint or a force of one's own are described in docs/models.md and docs/forces.md.
"""

import inspect
from pathlib import Path
from typing import Any

from public_names import named

import hapsis as hs

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "api"

# page: its title, a sentence, and the modules whose public names are on it
MODEL = "hapsis.mechanics.model."
PAGES: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "models": (
        "Models",
        "Bodies, frames, shapes, joints, constraints, drives, sensors. Guide: [Models](../models.md).",
        tuple(
            MODEL + name
            for name in (
                "model",
                "state",
                "bodies",
                "frames",
                "values.",
                "shapes.",
                "joints.",
                "constraints.",
                "drives",
                "sensors",
                "generalized_speed",
                "page",
                "design.",
            )
        ),
    ),
    "forces": (
        "Forces and contacts",
        "What acts: forces, laws, contacts. Guide: [Forces and contacts](../forces.md).",
        tuple(MODEL + name for name in ("forces.", "laws", "contacts", "contact_laws.")),
    ),
    "equations": (
        "Equations",
        "From a model to Functions. Guide: [Verbs](../verbs/README.md).",
        ("hapsis.mechanics.formalisms.",),
    ),
    "files": (
        "Files",
        "Models and results from files and back. Guide: [Files](../files.md), [designs](../designs.md).",
        ("hapsis.motion.hybrid.files.hybrid_files", "hapsis.mechanics.formats.design."),
    ),
    "analysis": (
        "Analysis",
        "Assembly, equilibria, linear models, modes, inverse kinematics. Guide: [Verbs](../verbs/README.md).",
        ("hapsis.motion.analysis.",),
    ),
    "simulation": (
        "Simulation",
        "Motion and its results. Guide: [simulate](../verbs/simulate.md), [Result](../verbs/result.md), "
        "[hybrids](../hybrids.md).",
        ("hapsis.motion.", "hapsis.live.", "hapsis.studies.", MODEL + "result", MODEL + "runs."),
    ),
    "compiler": (
        "Compiler",
        "Formulas, Functions, native code, source text. Guide: [the compiler](../compiler.md).",
        ("hapsis.compiler.",),
    ),
    "errors": (
        "Errors",
        "All are children of `Error`: one line with what is wrong, what is allowed and a remedy.",
        ("hapsis.errors",),
    ),
}
MODULES = {
    "particles": ("Particles", "Deformable objects. Guide: [Particles](../particles.md)."),
    "shapes": ("Shapes", "Shapes by short calls. Guide: [Particles](../particles.md)."),
    "library": ("Library", "Ready mechanisms. Guide: [Library](../library.md)."),
    "realtime": ("Real time", "The loop and its guard. Guide: [A hand in the loop](../haptics.md)."),
    "haptics": ("Haptics", "Devices, sensors, filters, actuators. Guide: [Devices](../devices.md)."),
    "recording": ("Recording", "Recordings, replay, comparison. Guide: [Recording](../recording.md)."),
}
# public names that are neither classes nor functions
VALUES = {
    "WORLD": "The body that never moves; ``WORLD.at(x, y, z)`` is a place in it.",
    "particles.MATERIALS": "Usual materials by their names.",
}
# the methods and properties of classes that users call; other classes show none
DEVICE, SENSOR, FILTER = "open close sample command", "read sense calibrate simulated label", "apply response"
MEMBERS = {
    "Model": "value frame limits zero pose replace without with_stops pinned hinged prefixed",
    "Body": "box sphere cylinder capsule mesh",
    "Component": "mesh weighed anchored cog principal_moments body",
    "World": "at plane heightfield",
    "State": "names",
    "Formula": "value",
    "Function": "parameters defaults cost substitute baked jacobian sparse_jacobian jvp vjp",
    "Result": "success names coordinates plot player show save to_dataframe to_xarray",
    "Results": "success names run plot to_dataframe to_xarray save",
    "Equilibrium": "stable",
    "Linearization": "eigenvalues",
    "Modes": "shape result show",
    "Sensitivities": "t columns",
    "Gradient": "names",
    "Hybrid": "model coordinates speeds pose warnings diagram",
    "Study": "met report save show",
    "Sweep": "names columns success grid plot save to_dataframe to_xarray",
    "realtime.Loop": "connect start stop run set wait running state report",
    "realtime.Report": "names factor slow work_of_parameters plot histogram to_dataframe to_xarray",
    "realtime.Guard": "fault cause gone force energy given stop withdraw_stop rearm restart report",
    "realtime.Supervisor": "stalls start close",
    "realtime.Device": "open close",
    "haptics.SimulatedHand": f"{DEVICE} fault",
    "haptics.Target": f"{DEVICE} set",
    "haptics.Relay": "start stop rows counts",
    "haptics.Actuator": "stage compensation law",
    "haptics.Handle": "felt command least_damping",
    "haptics.LinearActuator": "force current_of own_force calibrate",
    "haptics.VoiceCoil": "time force_limit largest_force stage actuator",
    "haptics.midi.Loudness": "velocity speed",
    "haptics.midi.Player": "start close play",
    "haptics.Filters": f"stages {FILTER}",
    "haptics.Kalman": f"errors {FILTER}",
    **dict.fromkeys(
        (
            f"haptics.{name}"
            for name in "Actuated Conditioned ForceDimension Mapped OpenHaptics SdlWheel SerialDevice "
            "UdpDevice Wheel".split()
        ),
        DEVICE,
    ),
    **dict.fromkeys(
        (f"haptics.{name}" for name in "Coil Encoder HallPair Imu LoadCell StrainBridge Vibrometer".split()),
        SENSOR,
    ),
    **dict.fromkeys(
        (
            f"haptics.{name}"
            for name in "AdaptiveWindow FiniteDifference Inclination Lead LowPass SavitzkyGolay "
            "Window".split()
        ),
        FILTER,
    ),
    "recording.Comparison": "plot",
    "recording.Recorder": "start close event flush",
    "recording.Recording": "lost names events rows close",
    "recording.Replayed": "same",
}


def page_of(name: str) -> str:
    """The page that a public name stands on."""
    if "." in name:
        return name.partition(".")[0]
    home = next(module for module, names in hs._HOMES.items() if name in names.split())
    for page, (_, _, starts) in PAGES.items():
        if home.startswith(starts):
            return page
    raise SystemExit(f"tools/api_pages.py: no page has the names of {home}; add it to PAGES")


def members(name: str, value: Any) -> list[str]:
    """The methods and properties of a class that its page shows."""
    return [one for one in MEMBERS.get(name, "").split() if hasattr(value, one)]


def entry(name: str, value: Any) -> str:
    """The lines by which Sphinx shows one name."""
    if inspect.isclass(value):
        rows = [f".. autoclass:: hapsis.{name}\n\n"]
        for one in members(name, value):
            kind = "method" if callable(getattr(value, one)) else "attribute"
            rows.append(f"   .. auto{kind}:: hapsis.{name}.{one}\n\n")
        return "".join(rows)
    if callable(value):
        return f".. autofunction:: hapsis.{name}\n\n"
    if inspect.ismodule(value):
        first = (value.__doc__ or "").splitlines()[0]
        return (
            f".. py:data:: hapsis.{name}\n\n   {first}\n\n.. automodule:: {value.__name__}\n   :members:\n\n"
        )
    return f".. py:data:: hapsis.{name}\n\n   {VALUES[name]}\n\n"


def names_by_page() -> dict[str, list[tuple[str, Any]]]:
    """The public names of each page, in the order in which the package lists them."""
    pages: dict[str, list[tuple[str, Any]]] = {page: [] for page in (*PAGES, *MODULES)}
    order = [name for names in hs._HOMES.values() for name in names.split()]
    for name in order:
        pages[page_of(name)].append((name, getattr(hs, name)))
    for module in MODULES:
        pages[module] += named(module, getattr(hs, module))
    return pages


def page(name: str, entries: list[tuple[str, Any]]) -> str:
    """One page, in Markdown."""
    title, sentence = PAGES[name][:2] if name in PAGES else MODULES[name]
    body = "".join(entry(*one) for one in entries)
    return f"# {title}\n\n{sentence}\n\n```{{eval-rst}}\n{body.rstrip()}\n```\n"


def write() -> None:
    """Writes all pages; a page that has not changed keeps its time, so that it is not built again."""
    FOLDER.mkdir(exist_ok=True)
    for name, entries in names_by_page().items():
        path, text = FOLDER / f"{name}.md", page(name, entries)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write()
