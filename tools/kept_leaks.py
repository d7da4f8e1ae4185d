"""Looks for values that get into equations but not into the key under which these are kept on disk.

    python tools/kept_leaks.py --count 2000 --start 0

Models with every kind of fact are changed at random, one or two fields at a time, also to special
values (zero, -0.0, one, tiny, huge, equal to a neighbour, None). Whatever is kept for two models of the
same structure must be the same: the digests, ports and names of parameters of all Functions, all data, and
refusals. The values of the parameters must be those in the table of the model's key. Nothing is read from
the disk; every Function is written anew.
"""

import argparse
import dataclasses
import random
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

sys.path += [str(Path(__file__).resolve().parent.parent / "tests")]

import hapsis as hs
from hapsis.mechanics.model.frames import End, Frame
from hapsis.mechanics.model.laws import Law
from hapsis.mechanics.model.store import kept as store
from hapsis.mechanics.model.store.model_key import model_key
from hapsis.mechanics.model.values.values import Table

SPECIAL = (0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 1e-16, -1e-16, 1e-13, 1e-9, 1e3, 1e7, 3e12, -2.0)
QUICK = ("inverse_dynamics", "energy")
PLAIN = (*QUICK, "forward_dynamics", "mass_matrix", "measurements", "regressor")
LOOPS = ("constraints", "reduced_dynamics")


# recording -------------------------------------------------------------------------------------------


class Recorder:
    """In the place of `kept`, `kept_data` and `kept_of`: writes everything and says what it was."""

    def __init__(self) -> None:
        self.report: dict[str, Any] = {}
        self.wrong: list[str] = []
        self.others = {store.kept: self.kept, store.kept_data: self.kept_data, store.kept_of: self.kept_of}

    def __enter__(self) -> "Recorder":
        _exchange(self.others)
        return self

    def __exit__(self, *_: object) -> None:
        _exchange({other: own for own, other in self.others.items()})

    def kept(self, model: Any, key: Any, write: Callable[[], Any]) -> Any:
        """The Function, written; its digest, ports and parameters are recorded."""
        function, own = self.written(repr(key), write), model_key(model)
        if function is None:
            self.report[repr(key)] = None
        elif own is not None:
            known = all(own.numbers.get(n) == x for n, x in function.parameters.items())
            ports = [(p.name, p.shape) for p in (*function.inputs, *function.outputs)]
            self.report[repr(key)] = function.digest.hex(), ports, tuple(function.parameters), known
        return function

    def kept_data(self, model: Any, key: Any, make: Callable[[], Any], by_values: bool = False) -> Any:
        """The data, made."""
        data = self.written(f"data {key!r}", make)
        if not by_values:
            self.report[f"data {key!r}"] = repr(data)
        return data

    def kept_of(self, function: Any, key: str, make: Callable[[], Any]) -> Any:
        """What follows from a Function, made."""
        return make()

    def written(self, name: str, make: Callable[[], Any]) -> Any:
        """What `make` gives; a refusal and the notices are recorded, too."""
        try:
            with warnings.catch_warnings(record=True) as notices:
                warnings.simplefilter("always")
                return make()
        except hs.Error as error:
            self.report[f"refusal of {name}"] = type(error).__name__
            raise
        finally:
            if notices:
                self.report[f"notices of {name}"] = sorted(str(n.message) for n in notices)


def _exchange(others: dict[Any, Any]) -> None:
    """Puts other functions in the place of these in all modules."""
    for module in list(sys.modules.values()):
        if getattr(module, "__name__", "").startswith("hapsis."):
            for name, value in list(vars(module).items()):
                if value.__class__.__name__ in ("function", "method") and value in others:
                    setattr(module, name, others[value])


def reported(recorder: Recorder, model: Any, every: bool = False) -> dict[str, Any]:
    """What would be kept for a model: of its verbs, and of the systems that a simulation takes."""
    recorder.report = {}
    closed = bool(model.cuts or model.constraints)
    for name in (*(PLAIN if every else QUICK), *(LOOPS if closed else ())):
        attempt(lambda name=name: getattr(hs, name)(model))
    attempt(lambda: systems(model))
    return recorder.report


def systems(model: Any) -> None:
    """The equations of a motion, without compiling them."""
    from hapsis.mechanics.formalisms.dynamics import state_rates
    from hapsis.mechanics.formalisms.forces.drive_motion import imposed_motion

    attempt(lambda: state_rates.extras(model))
    for verb in (state_rates.gaps, state_rates.approach, state_rates.broad_phase, state_rates.signals):
        attempt(lambda verb=verb: verb(model))
    attempt(lambda: state_rates.arrows(model))
    attempt(lambda: imposed_motion(model))
    if model.cuts or model.constraints:
        from hapsis.mechanics.formalisms.constraints.constraint_rows import constraint_names
        from hapsis.mechanics.formalisms.constraints.row_units import row_units

        attempt(lambda: constraint_names(model))
        attempt(lambda: row_units(model))


def attempt(program: Callable[[], Any]) -> None:
    """Calls it; a refusal is no fault."""
    try:
        program()
    except hs.Error:
        pass


# models ----------------------------------------------------------------------------------------------


def law_of(k: float) -> Any:
    """A law with a number of its own in a closure, and one as a parameter."""
    return lambda q, v, c=1.0: -k * q - c * v


def rubber(gap: Any, rate: Any, stiffness: Any = 1.0, set_in: Any = hs.LawState(0.1)) -> Any:
    """A contact law with a state."""
    depth = hs.maximum(-gap, 0.0)
    return stiffness * (depth - 0.3 * set_in), {"set_in": depth - set_in}


def angle(x: Any) -> Any:
    """An angle without its whole turns."""
    return hs.atan2(hs.sin(x), hs.cos(x))


def body(name: str, **more: Any) -> Any:
    """A body whose numbers are all alike, so that one of them may be taken for another."""
    frames = {"tip": Frame((1.0, 0.0, 0.0)), "top": Frame((0.0, 0.5, 1.0), (0.0, 0.3, 0.0))}
    return hs.Body(name, 1.0, (0.5, 0.0, 0.1), (1.0, 1.0, 1.0, 0.1, 0.0, 0.0), frames, **more)


def chain() -> Any:
    """Joints of many kinds, with all forces on axes."""
    names = ("Revolute", "Prismatic", "Helical", "Cylindrical", "Universal", "Ball", "Planar", "Free")
    facts: list[Any] = []
    for k, name in enumerate(names[:3]):
        parent = hs.WORLD if not k else f"b{k - 1}.tip"
        more = {"pitch": 1.0} if name == "Helical" else {}
        numbers = {"armature": 1.0, "damping": 1.0, "friction": 1.0, "limits": (-1.0, 1.0), **more}
        facts += [body(f"b{k}"), getattr(hs, name)(f"j{k}", parent, f"b{k}", "z", **numbers)]
    facts += [
        hs.JointSpring("js", "j0", 1.0, 1.0, 1.0),
        hs.Friction("fr", "j1", 1.0, 1.0, 1.0, 1.0, 0.01),
        hs.Stop("st", "j0", 1.0, 1.0, -1.0, 1.0),
        hs.Tendon("te", {"j0": 1.0, "j1": 1.0}, 1.0, 1.0, 1.0, True),
        hs.JointForce("jf", "j0", law_of(1.0)),
        hs.Sensor("sensor", "imu", "b2.tip"),
    ]
    return facts, {"parameters": {"a": 1.0, "b": 1.0}, "gravity": (0.0, 0.0, -1.0)}


def open_joints() -> Any:
    """The other joints, and forces between bodies."""
    facts: list[Any] = [
        body("b0"),
        hs.Cylindrical("j0", hs.WORLD, "b0", "x", armature=1.0, damping=1.0),
        body("b1"),
        hs.Universal("j1", "b0.tip", "b1", armature=1.0, damping=1.0),
        body("b2"),
        hs.Ball("j2", "b1.top", "b2", damping=1.0),
        hs.Spring("sp", hs.WORLD.at(1.0, 1.0, 0.0), "b1.tip", 1.0, 1.0, 1.0),
        hs.Bushing("bu", "b0.top", "b2.tip", (1.0,) * 6, (1.0,) * 6),
        hs.Link("li", "b0.tip", "b2.tip", law_of(2.0)),
        hs.Wrench("wr", "b2.tip", (1.0, 1.0, 1.0), (1.0, 0.0, 1.0), "world"),
    ]
    return facts, {"gravity": (0.0, 0.0, -1.0)}


def in_time() -> Any:
    """Laws where functions of time are expected: their numbers are constants there."""
    grow = hs.law(lambda t, k=1.0: 1.0 + k * t)
    facts: list[Any] = [
        body("b0"),
        hs.Prismatic("j0", hs.WORLD, "b0", "x"),
        body("b1"),
        hs.Prismatic("j1", hs.WORLD, "b1", "x"),
        hs.Drive("drive", "j0", grow),
        hs.Gear("gear", "j0", "j1", 1.0, offset=grow),
        hs.Wrench("wrench", "b1", hs.law(lambda t, k=1.0: (k * t, 1.0, t))),
        hs.Contact(
            "hill",
            ("b0", hs.Sphere(1.0)),
            (hs.WORLD, hs.Heightfield(hs.law(lambda x, y, k=1.0: k * x))),
            hs.Linear(1.0, 1.0),
        ),
    ]
    return facts, {}


def four_bar() -> Any:
    """A loop with a drive and a gear."""
    import shared_models

    model = shared_models.four_bar(
        hs.Body("wheel", 1.0, (0.0, 0.0, 0.0), (1.0, 1.0, 1.0)),
        hs.Revolute("W", hs.WORLD.at(1.0, 0.0, 0.0), "wheel", "y"),
        hs.Gear("gear", "A", "W", 1.0, offset=1.0),
        hs.Drive("drive", "A", 1.0),
    )
    return list(model.facts), {}


def tracked() -> Any:
    """Drives by formula and with tracking, a distance, a point on a curve."""
    facts: list[Any] = [
        body("b0"),
        hs.Revolute("j0", hs.WORLD, "b0", "y"),
        body("b1"),
        hs.Free("j1", hs.WORLD, "b1"),
        hs.Distance("d", "b0.tip", "b1.top", 1.0),
        hs.Drive("drive", "j0", "1.0 + a * t", tracking=1.0),
    ]
    return facts, {"parameters": {"a": 1.0}}


def rolling() -> Any:
    """A rolling body and rows of one's own."""
    facts: list[Any] = [
        body("b0"),
        hs.Free("j0", hs.WORLD, "b0"),
        hs.Rolling("roll", "b0", hs.WORLD, 1.0),
        body("b1"),
        hs.Prismatic("j1", "b0.tip", "b1", "x"),
        body("b2"),
        hs.Revolute("j2", "b1.tip", "b2", "x"),
        hs.Constraint("row", hs.law(lambda s, a=1.0, b=1.0: a * s["j1"] + b * angle(s["j2"]))),
        hs.Constraint("turns", hs.law(lambda s, a=1.0, b=1.0: a * angle(s["j2"]) + b * angle(2.0 * s["j2"]))),
        hs.Constraint("speed", speeds=hs.law(lambda s, a=1.0, b=1e-14: a * s["j1.v"] + b * s["j2.v"] ** 2)),
    ]
    return facts, {}


def screw_loop() -> Any:
    """A cut thread: its row has an angle."""
    facts: list[Any] = [
        body("nut"),
        hs.Prismatic("slide", hs.WORLD, "nut", "z"),
        body("screw"),
        hs.Revolute("turn", hs.WORLD, "screw", "z"),
        hs.Helical("thread", "nut", "screw", "z", pitch=1.0),
    ]
    return facts, {}


def contacts() -> Any:
    """Contacts of many kinds: mapped, written out, with laws of one's own."""
    facts: list[Any] = []
    for k in range(4):
        shapes = [hs.Sphere(1.0)]
        facts += [body(f"b{k}", shapes=shapes), hs.Free(f"j{k}", hs.WORLD, f"b{k}")]
        facts.append(hs.Contact(f"c{k}", f"b{k}", hs.WORLD.plane(), hs.Linear(1.0, 1.0), 1.0))
    facts += [
        hs.Contact(
            "felt",
            ("b0.tip", hs.Sphere(1.0)),
            ("b1.tip", hs.Box((1.0, 1.0, 1.0))),
            hs.Felt(1.0, 2.0, 0.5, 1.0),
        ),
        hs.Contact("own", "b1.tip", hs.WORLD.plane(), rubber, hs.Coulomb(1.0, 1.0, 1.0)),
        hs.Contact("hunt", ("b2", hs.Capsule(1.0, 1.0)), hs.WORLD.plane(), hs.HuntCrossley(1.0, 1.5, 1.0)),
    ]
    return facts, {"gravity": (0.0, 0.0, -1.0)}


def ground() -> Any:
    """A heightfield by a function, and by rows."""
    facts: list[Any] = [
        body("b0"),
        hs.Free("j0", hs.WORLD, "b0"),
        hs.Contact(
            "hill",
            ("b0", hs.Sphere(1.0)),
            (hs.WORLD, hs.Heightfield(lambda x, y: 0.1 * hs.sin(x) + y)),
            hs.Linear(1.0, 1.0),
        ),
        hs.Contact(
            "rows",
            "b0.tip",
            (hs.WORLD, hs.Heightfield([[0.0, 1.0, 1.0, 1.0]] * 4, (0.0, 0.0), (1.0, 1.0))),
            hs.Linear(1.0, 1.0),
        ),
    ]
    return facts, {}


BASES = (chain, open_joints, in_time, four_bar, tracked, rolling, screw_loop, contacts, ground)


# changes ---------------------------------------------------------------------------------------------


def changed(draw: random.Random, x: Any, depth: int = 0) -> Any:
    """Something of the same kind as x with one number or name changed."""
    if isinstance(x, bool):
        return not x
    if isinstance(x, float | int):
        return draw.choice((*SPECIAL, x * draw.uniform(1.0, 2.0), -x, x * 1e4, "a", "a - b", "a * 2"))
    if x is None:
        return draw.choice((1.0, 0.5, 2.0))
    if isinstance(x, Law):
        name = draw.choice((*x.fields, *x.states)) if x.fields or x.states else None
        return (
            law_of(draw.choice((1.0, 2.0, 0.0)))
            if name is None or draw.random() < 0.3
            else x.using(**{name: draw.choice((1.0, 2.0, 0.0, 1e-14))})
        )
    if isinstance(x, Table | dict) and x:
        name = draw.choice(list(x))
        return {**x, name: changed(draw, x[name], depth + 1)}
    if isinstance(x, tuple | list) and x:
        k = draw.randrange(len(x))
        new = list(x)
        new[k] = draw.choice(x) if draw.random() < 0.2 else changed(draw, x[k], depth + 1)
        return tuple(new)
    if dataclasses.is_dataclass(x):
        return changed_fact(draw, x, depth + 1)
    return x


def changed_fact(draw: random.Random, fact: Any, depth: int = 0) -> Any:
    """A fact, shape, frame or end with one field changed."""
    fields = [f.name for f in dataclasses.fields(fact) if f.init and f.name not in ("name", "where", "body")]
    name = draw.choice(fields) if fields else None
    if name is None or (isinstance(fact, End) and not isinstance(fact.frame, Frame)):
        return fact
    if isinstance(fact, hs.Surface) and getattr(fact, name) is None:
        return fact
    if name in ("axis", "normal"):
        new: Any = draw.choice(("x", "y", "z", "-z", (0.0, 0.0, 2.0), (0.0, 1e-17, 1.0), (1.0, 1.0, 0.0)))
    else:
        new = changed(draw, getattr(fact, name), depth)
    return dataclasses.replace(fact, **{name: new})


def variant(seed: int, bases: tuple[Any, ...] = BASES) -> tuple[str, Any]:
    """A base with changed fields: what was changed, and the model; None where it is refused."""
    draw = random.Random(seed)
    base = draw.choice(bases)
    facts, more = base()
    changes = [base.__name__]
    for _ in range(draw.choice((0, 1, 1, 1, 2, 3))):
        k = draw.randrange(len(facts) + 1)
        if k == len(facts):
            name = draw.choice(("gravity", "parameters"))
            more[name] = changed(
                draw, more.get(name, {"a": 1.0} if name == "parameters" else (0.0, 0.0, -9.81))
            )
            changes.append(f"{name}={more[name]}")
            continue
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                facts[k] = changed_fact(draw, facts[k])
        except (hs.Error, TypeError, ValueError):
            continue
        changes.append(repr(facts[k]))
    more.setdefault("parameters", {})
    more["parameters"] = {"a": 1.0, "b": 1.0, **more["parameters"]}
    if any(isinstance(x, str) for x in more["parameters"].values()):
        return "", None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return "; ".join(changes), hs.Model(*facts, physical=draw.random() < 0.9, **more)
    except hs.Error:
        return "", None


def differences(seeds: Iterator[int] | range, bases: tuple[Any, ...] = BASES) -> Iterator[str]:
    """What differs between models of the same structure; at last the counts."""
    with Recorder() as recorder:
        yield from _differences(recorder, seeds, bases)


def _differences(recorder: Recorder, seeds: Any, bases: tuple[Any, ...]) -> Iterator[str]:
    first, count, without = dict[bytes, Any](), 0, 0
    for seed in seeds:
        text, model = variant(seed, bases)
        if model is None:
            continue
        key = model_key(model)
        if key is None:
            without += 1
            continue
        count += 1
        report = reported(recorder, model)
        before, reference, other = first.setdefault(key.structure, (text, report, seed))
        for name in sorted({*reference, *report}) if reference is not report else ():
            about = name.removeprefix("refusal of ").removeprefix("notices of ")
            if about == name and not (name in reference and name in report):
                continue  # asked for one of them only, as with another partition
            if about != name and not (about in reference or about in report):
                continue  # kept for none of them
            if reference.get(name, "nothing") != report.get(name, "nothing"):
                both = f"{str(reference.get(name))[:300]}\n  {str(report.get(name))[:300]}"
                yield f"seeds {other}, {seed}: {name}\n  {before}\n  {text}\n  {both}"
    yield f"{count} models of {len(first)} structures, {without} without a key"


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--only")
    given = parser.parse_args()
    bases = tuple(b for b in BASES if given.only is None or b.__name__ in given.only.split(","))
    lines = 0
    for line in differences(range(given.start, given.start + given.count), bases):
        print(line, flush=True)
        lines += 1
    return int(lines > 1)


if __name__ == "__main__":
    sys.exit(main())
