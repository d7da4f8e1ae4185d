"""Random scenes of free bodies and small mechanisms that touch, for steps with contacts, and their laws.

A scene has a size, a mass, a step and gravity of its own; all else is in those units, so that the same laws
are asked of grains and of houses.
"""

from dataclasses import dataclass, field

import numpy as np

import hapsis as hs

SHAPES = ("box", "ball", "capsule", "cylinder", "ellipsoid")
FREE = ("x", "y", "z", "qw", "qx", "qy", "qz", "wx", "wy", "wz", "vx", "vy", "vz")


def shape_of(kind, lengths):
    """A shape within a box of these lengths."""
    x, y, z = (float(length) for length in lengths)
    if kind == "box":
        return hs.Box((x, y, z))
    if kind == "ball":
        return hs.Sphere(x / 2)
    if kind == "capsule":
        return hs.Capsule(x / 4, z / 2)
    if kind == "cylinder":
        return hs.Cylinder(x / 2, z)
    return hs.Ellipsoid((x / 2, y / 2, z / 2))


def lengths_of(shape):
    """The lengths of the box around a shape."""
    if isinstance(shape, hs.Box):
        return tuple(shape.size)
    if isinstance(shape, hs.Sphere):
        return (2 * shape.radius,) * 3
    if isinstance(shape, hs.Capsule):
        return (2 * shape.radius, 2 * shape.radius, shape.length + 2 * shape.radius)
    if isinstance(shape, hs.Cylinder):
        return (2 * shape.radius, 2 * shape.radius, shape.length)
    return tuple(2 * x for x in shape.semi_axes)


def inertia(shape, mass):
    """The moments of inertia of a solid ball, or of the box around another shape."""
    if isinstance(shape, hs.Sphere):
        return (0.4 * mass * shape.radius**2,) * 3
    x, y, z = lengths_of(shape)
    return (mass * (y * y + z * z) / 12, mass * (x * x + z * z) / 12, mass * (x * x + y * y) / 12)


def reach(shape):
    """The radius of a ball about a shape."""
    return shape.radius if isinstance(shape, hs.Sphere) else float(0.5 * np.linalg.norm(lengths_of(shape)))


def quaternion(draw):
    """A random turn."""
    q = draw.normal(size=4)
    return q / np.linalg.norm(q)


@dataclass
class Scene:
    """A model, where it starts, its step and its units."""

    model: hs.Model
    start: dict
    step: float
    size: float
    mass: float
    gravity: float
    bodies: list
    masses: dict
    moments: dict
    ground: bool
    contacts: list = field(default_factory=list)

    @property
    def energy(self):
        """The unit of energy: to fall, or to move, by one size."""
        speeds = [v for name, v in self.start.items() if name.split(".")[-1] in ("vx", "vy", "vz")]
        return self.mass * (self.gravity * self.size + max((v * v for v in speeds), default=0.0))

    def run(self, until, **options):
        """The motion for so many steps."""
        options = {"every": self.step * max(1, until // 200)} | options
        return hs.simulate(
            self.model, until * self.step, self.start, method="contact", step=self.step, **options
        )


def law(draw, mass, size, gravity, step):
    """A law in units of the scene: some sink by parts of the size, some are far too stiff for the step."""
    depth = size * 10.0 ** draw.uniform(-7.0, -1.5)
    if draw.random() < 0.5:
        k = mass * gravity / depth
        return hs.Linear(k, draw.uniform(0.0, 2.0) * np.sqrt(k * mass) * draw.integers(0, 2))
    power = draw.choice([1.0, 1.5, 2.2])
    k = mass * gravity / depth**power
    return hs.HuntCrossley(k, power=float(power), damping=draw.uniform(0.0, 2.0) / np.sqrt(gravity * size))


def friction(draw):
    """No friction, little, or much; some with more before it slips."""
    if draw.random() < 0.2:
        return None
    mu = float(10.0 ** draw.uniform(-2.0, 1.0))
    return hs.Coulomb(mu, static=mu * draw.uniform(1.0, 1.5)) if draw.random() < 0.3 else hs.Coulomb(mu)


def scene(draw, count=None, ground=None, scaled=True, kinds=SHAPES):
    """Some bodies in the air or in a heap, thrown and spinning, above the ground or in space."""
    size = float(10.0 ** draw.uniform(-6.0, 3.0)) if scaled else 1.0
    mass = float(10.0 ** draw.uniform(-6.0, 3.0)) if scaled else 1.0
    gravity = float(10.0 ** draw.uniform(-1.0, 1.0))
    own = np.sqrt(size / gravity)
    step = float(own * 10.0 ** draw.uniform(-3.5, -1.0))
    ground = bool(draw.random() < 0.7) if ground is None else ground
    count = int(draw.integers(1 if ground else 2, 6)) if count is None else count
    facts, start, shapes, masses, moments = [], {}, {}, {}, {}
    height = 0.0
    for k in range(count):
        name = f"b{k}"
        length = size * draw.uniform(0.3, 1.0, size=3)
        shape = shape_of(kinds[int(draw.integers(len(kinds)))], length)
        m = mass * float(10.0 ** draw.uniform(-1.5, 1.5))
        shapes[name], masses[name], moments[name] = shape, m, inertia(shape, m)
        facts += [hs.Body(name, mass=m, inertia=moments[name]), hs.Free(f"j{k}", hs.WORLD, name)]
        height += 1.05 * reach(shape)
        at = (*(0.3 * size * draw.normal(size=2)), height)
        height += 1.05 * reach(shape)
        speed, spin = draw.choice([0.0, 0.3, 3.0], size=2)
        w = spin / own * draw.normal(size=3)
        v = speed * np.sqrt(gravity * size) * draw.normal(size=3)
        if not ground:
            v += -0.3 * np.array(at) / own
        turn = quaternion(draw) if draw.random() < 0.7 else (1.0, 0.0, 0.0, 0.0)
        start |= {f"j{k}.{n}": float(x) for n, x in zip(FREE, (*at, *turn, *w, *v), strict=True)}
    contacts = []

    def contact(first, second):
        if draw.random() < 0.5:
            first, second = second, first
        given = law(draw, mass, size, gravity, step)
        contacts.append(hs.Contact(f"c{len(contacts)}", first, second, law=given, friction=friction(draw)))

    for k, one in enumerate(shapes):
        for two in list(shapes)[:k]:
            contact((one, shapes[one]), (two, shapes[two]))
        if ground:
            contact((one, shapes[one]), hs.WORLD.plane("z"))
    facts += contacts
    draw.shuffle(facts)
    pull = gravity if ground else 0.0
    model = hs.Model(*facts, gravity=(0.0, 0.0, -pull))
    return Scene(
        model,
        start,
        step,
        size,
        mass,
        gravity,
        list(shapes),
        masses,
        moments,
        ground,
        [c.name for c in contacts],
    )


def momenta(scene, result):
    """The linear and angular momentum of all bodies about the world's origin, for each row."""
    linear, angular = np.zeros((len(result.t), 3)), np.zeros((len(result.t), 3))
    for name in scene.bodies:
        p = scene.masses[name] * result[f"{name}.velocity"]
        R = np.asarray(result[f"{name}.R"]).reshape(-1, 3, 3)
        w = result[f"{name}.angular_velocity"]
        spin = np.einsum("nij,j,nkj,nk->ni", R, scene.moments[name], R, w)
        linear += p
        angular += np.cross(result[f"{name}.position"], p) + spin
    return linear, angular


def growth(scene, result):
    """How far the energy rises above that of the start, in units of the energy of the motion."""
    energy = result["energy"]
    return float((energy - energy[0]).max() / max(scene.energy, result["kinetic"].max()))


def mechanism(draw, kinds=("box", "ball", "capsule")):
    """A chain of links that hangs above the ground and falls onto it, some with dry friction and damping."""
    size, mass = float(10.0 ** draw.uniform(-3.0, 1.0)), float(10.0 ** draw.uniform(-3.0, 2.0))
    gravity = 9.81
    step = float(np.sqrt(size / gravity) * 10.0 ** draw.uniform(-3.0, -1.0))
    count = int(draw.integers(1, 5))
    facts, start, contacts, masses, moments = [], {}, [], {}, {}
    before, height = hs.WORLD.at(0.0, 0.0, float(size * count * draw.uniform(0.2, 0.9))), size
    for k in range(count):
        name = f"b{k}"
        shape = shape_of(kinds[int(draw.integers(len(kinds)))], size * draw.uniform(0.2, 0.5, size=3))
        masses[name] = mass * float(10.0 ** draw.uniform(-1.0, 1.0))
        moments[name] = inertia(shape, masses[name])
        end = (name, hs.Frame((0.0, 0.0, 0.5 * height)))
        given = {"damping": 0.0, "friction": 0.0}
        if draw.random() < 0.3:
            given["friction"] = float(0.05 * masses[name] * gravity * size)
        if draw.random() < 0.3:
            given["damping"] = float(0.05 * masses[name] * np.sqrt(gravity * size**3))
        kind = int(draw.integers(3))
        if kind == 2 and k == 0:
            joint = hs.Ball(f"j{k}", before, end)
            turn = quaternion(draw)
            start |= {f"j{k}.{n}": float(x) for n, x in zip(("qw", "qx", "qy", "qz"), turn, strict=True)}
        else:
            joint = hs.Revolute(f"j{k}", before, end, axis="y" if kind else "x", **given)
            start |= {f"j{k}": float(draw.uniform(-1.5, 1.5))}
            start |= {f"j{k}.v": float(draw.normal() * np.sqrt(gravity / size))}
        facts += [hs.Body(name, mass=masses[name], inertia=moments[name]), joint]
        hit = law(draw, mass, size, gravity, step)
        sides = [(name, shape), hs.WORLD.plane("z")]
        draw.shuffle(sides)
        contacts.append(hs.Contact(f"c{k}", *sides, law=hit, friction=friction(draw)))
        before = (name, hs.Frame((0.0, 0.0, -0.5 * height)))
    facts += contacts
    draw.shuffle(facts)
    model = hs.Model(*facts, gravity=(0.0, 0.0, -gravity))
    names = [contact.name for contact in contacts]
    return Scene(model, start, step, size, mass, gravity, list(masses), masses, moments, True, names)
