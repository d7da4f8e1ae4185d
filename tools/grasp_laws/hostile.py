"""Random mechanisms of all joints with up to three loops, of micrometres to kilometres, in hostile hands."""

from typing import Any, NamedTuple

import numpy as np

import hapsis as hs

KINDS = ("Revolute", "Prismatic", "Helical", "Cylindrical", "Universal", "Planar", "Ball", "Free", "Chain")
TICKS = 120
OPEN = 1e-3  # of the size: loops that lock or are singular may be that far open
MOST = 50.0  # of weights: the largest force


class HostileReport(NamedTuple):
    """What went wrong with a grasp, in words; empty where nothing did."""

    what: str
    refused: str
    wrong: str = ""

    @property
    def broken(self) -> bool:
        """Whether something went wrong."""
        return bool(self.wrong)

    @property
    def worst(self) -> float:
        """No energy is counted here."""
        return 0.0


def joint(random: Any, name: str, first: Any, second: str, size: float) -> Any:
    """A joint of a random kind."""
    kind, axis = str(random.choice(KINDS)), str(random.choice(["x", "y", "z"]))
    if kind == "Helical":
        return hs.Helical(name, first, second, axis=axis, pitch=0.01 * size)
    if kind in ("Ball", "Free"):
        return getattr(hs, kind)(name, first, second)
    if kind == "Universal":
        return hs.Universal(name, first, second)
    if kind == "Chain":
        return hs.Chain(name, first, second, "Tx Rz" if random.random() < 0.5 else "Ry Rx")
    if kind == "Planar":
        return hs.Planar(name, first, second)
    more: dict[str, Any] = {}
    if kind in ("Revolute", "Prismatic") and random.random() < 0.3:
        reach = 0.3 * (size if kind == "Prismatic" else 1.0)
        more["limits"] = (-reach, reach)
    if kind == "Revolute" and random.random() < 0.3:
        more["damping"] = 1e-3 * size**5 * 1e3
    return getattr(hs, kind)(name, first, second, axis=axis, **more)


def mechanism(random: Any) -> tuple[Any, float, float]:
    """A model, its size in m and its mass in kg."""
    size, count = 10.0 ** random.uniform(-6, 3), int(random.integers(1, 6))
    density, facts, origins = 1000.0, [], [np.zeros(3)]
    loops = int(random.integers(0, 4)) if count > 1 else 0
    parents = [int(random.integers(0, k + 1)) for k in range(count)]  # 0 is the world
    offsets = [size * random.normal(size=3) * 0.5 for _ in range(count)]
    frames: list[dict[str, Any]] = [{} for _ in range(count)]
    for parent, offset in zip(parents, offsets, strict=True):
        origins.append(origins[parent] + offset)
    cuts = []
    for k in range(loops):
        a, b = (int(x) for x in random.choice(count + 1, 2, replace=False))
        point = origins[a] + 0.3 * size * random.normal(size=3)
        ends = []
        for body in (a, b):
            local = tuple(point - origins[body])
            if body == 0:
                ends.append(hs.WORLD.at(*local))
            else:
                frames[body - 1][f"c{k}"] = local
                ends.append(f"b{body}.c{k}")
        if random.random() < 0.5:
            far = tuple(np.array(point) - origins[b] + 0.4 * size * random.normal(size=3))
            end: Any = hs.WORLD.at(*far) if b == 0 else f"b{b}.d{k}"
            if b:
                frames[b - 1][f"d{k}"] = far
            length = float(np.linalg.norm(np.array(far) + origins[b] - point))
            cuts.append(hs.Distance(f"cut{k}", ends[0], end, length=length))
        else:
            cuts.append(hs.Ball(f"cut{k}", *ends))
    mass = density * (0.1 * size) ** 2 * size
    for k in range(count):
        parent, offset = parents[k], tuple(offsets[k])
        inertia = tuple(mass * size**2 * 0.1 * x for x in (1.0, 1.1, 0.9))
        own = frames[k] | {f"j{n}": tuple(offsets[n]) for n in range(count) if parents[n] == k + 1}
        com = tuple(0.1 * size * random.normal(size=3))
        own["grip"] = tuple(0.3 * size * random.normal(size=3))
        facts.append(hs.Body(f"b{k + 1}", mass=mass, com=com, inertia=inertia, frames=own))
        first: Any = hs.WORLD.at(*offset) if parent == 0 else f"b{parent}.j{k}"
        facts.append(joint(random, f"J{k + 1}", first, f"b{k + 1}", size))
        if random.random() < 0.15 and isinstance(facts[-1], hs.Revolute):
            facts.append(hs.Friction(f"F{k + 1}", f"J{k + 1}", coulomb=0.01 * mass * 9.81 * size))
    return hs.Model(*facts, *cuts), size, mass * count


def hostile_grasp(seed: int) -> HostileReport:
    """A grasp of a random mechanism: led along a wave, pulled away by a jump, and brought back."""
    random = np.random.default_rng([seed, 77])
    try:
        model, size, mass = mechanism(random)
    except hs.Error as error:
        return HostileReport("no mechanism", str(error))
    frame = f"{random.choice([name for name in model.bodies if name != 'world'])}.grip"
    kind, coupling = (
        str(random.choice(["point", "full"])),
        random.choice(["rigid", "spring", "", "admittance"]),
    )
    most = MOST * mass * 9.81
    options: dict[str, Any] = {"kind": kind, "max_force": most}
    options["stiffness"] = 20.0 * mass * 9.81 / size
    options["damping"] = options["stiffness"] * 2e-3 * min(1.0, size**0.5)
    if coupling == "admittance":
        options["causality"] = coupling
    elif coupling:
        options["coupling"] = str(coupling)
    what = (
        f"{len(model.bodies)} bodies, {model.speeds}, cuts {len(model.cuts)}, {size:.1g} m, {kind} {coupling}"
    )
    dt = 1e-3 * min(1.0, size**0.5)  # what is small falls and swings faster
    try:
        tick = hs.haptics.grasp(model, frame, dt, **options)
    except hs.Error as error:
        return HostileReport(what, str(error))
    except Exception as error:
        return HostileReport(what, "", f"{type(error).__name__}: {error}")
    with np.errstate(all="ignore"):
        return HostileReport(what, "", _wrong(tick, size, most, random))


def _wrong(tick: Any, size: float, most: float, random: Any) -> str:
    """What is wrong with a run of the tick."""
    call, state = hs.compile(tick), {}
    ends = {p.name: float(p.stand_in) for p in tick.inputs if p.name.endswith((".position", ".force"))}
    waves = {n: 0.1 * random.normal() * (size if ".T" in n else 1.0) for n in ends}
    scale = {n: most * 0.02 * (1.0 if ".T" in n else size) for n in ends if n.endswith(".force")}
    for k in range(TICKS):
        t = 1e-3 * k
        jump = 1e3 if TICKS // 2 <= k < TICKS // 2 + 5 else 1.0
        moved = {n: waves[n] * jump * np.sin(20 * t) ** 2 for n in ends}
        moved |= {n: scale[n] * np.sin(20 * t) for n in scale}
        out = tick.outputs_by_name(call(**state, **{n: x + moved[n] for n, x in ends.items()}))
        state = {n: out[n] for n in ("q", "v", "z", "t") if n in out}
        if not all(np.isfinite(x).all() for x in state.values()):
            return f"a state is not finite in tick {k}"
        if not all(np.isfinite(x).all() for x in out.values()):
            if (
                k < TICKS // 2 or k > TICKS - 10
            ):  # a hand that jumps may throw what is light, and that is said
                return f"not finite in tick {k}"
            continue
        force = np.linalg.norm([out[f"wrench.f{x}"] for x in "xyz"])
        if force > most * (1 + 1e-9):
            return f"a force of {force:.3g} N in tick {k}, and {most:.3g} N are the largest"
        if k < TICKS // 2 and out["gap"] > OPEN * size:
            return f"a gap of {out['gap'] / size:.1e} sizes in tick {k}"
    return ""
