"""The forces of a model applied to its links: wrenches, efforts, states, energies, signals.

Each force acts through a scene (see `model.forces.force`). The result is one wrench per link and one
effort per speed, which are subtracted from those that inverse dynamics needs; and the rates of the states
of laws, the stored energy, the dissipated power, and the signals.
"""

from typing import Any

from hapsis.compiler.ir.graph.expr import Expr, symbol
from hapsis.mechanics.algebra.rotations import Matrix, product
from hapsis.mechanics.algebra.spatial import Wrench
from hapsis.mechanics.algebra.vectors import Vector, add, cross, sub
from hapsis.mechanics.formalisms.forces.contact_forces import Gap
from hapsis.mechanics.formalisms.forces.energy_account import EnergyAccount
from hapsis.mechanics.formalisms.forces.force_order import ForceOrder
from hapsis.mechanics.formalisms.forces.force_scene import ForceScene
from hapsis.mechanics.formalisms.tree.links import WORLD, Place
from hapsis.mechanics.formalisms.tree.optional_inputs import OptionalInputs
from hapsis.mechanics.formalisms.tree.sweeps import Poses, joint_wrenches, velocities
from hapsis.mechanics.formalisms.tree.tree import Tree, is_zero
from hapsis.mechanics.model.forces.force import Spot
from hapsis.mechanics.model.forces.friction import STICK, STRIBECK, bristle


class AppliedForces(OptionalInputs):
    """All forces of a model on a posed tree at the speeds v.

    sticking    damping and dry friction of the joints are among the forces, and friction sticks;
                else they are left to the formalism
    """

    def __init__(self, tree: Tree, v: Any, sticking: bool = False) -> None:
        super().__init__(tree)
        self.v = v
        self.efforts: list[Any] = [tree.zero] * tree.n_v
        self.signals: dict[str, Any] = {}  # NAME.force, ...: an expression or a vector of them
        self.candidates: list[Any] = []  # the two sides of each mapped pair
        self.told: dict[str, list[Any]] = {}  # {contact: gap, forces and point of its mapped pairs}
        self.gaps: list[Gap] = []  # of each touch, or of each mapped pair
        self.written: list[tuple[str, int, int]] = []  # the nodes that each force has added to the graph
        self.arrows: dict[str, list[Any]] = {}  # {NAME: point and force of its last push}
        self.energy, self.loss = tree.zero, tree.zero
        self.account = EnergyAccount(tree)
        self.poses = Poses(tree)
        self._velocities: list[tuple[Vector, Vector]] | None = None
        self._pushed: dict[int, Wrench] = {}  # by link, in world axes, about the link's origin
        self._own: dict[int, Wrench] = {}  # the same in the link's axes
        if sticking:
            self._resist()
        self.order = ForceOrder(self)
        self.alone = self.order.alone
        self.order.act()

    def _resist(self) -> None:
        """Adds damping and dry friction of the joints."""
        for joint in self.model.moving:
            scene = ForceScene(self, joint)
            damping, friction = scene.number("damping"), scene.number("friction")
            for speed in joint.speeds:
                slot = self.slots[speed]
                v = self.v[slot]
                self.efforts[slot] = self.efforts[slot] - damping * v
                lost = damping * v * v
                self.loss = self.loss + lost
                self.account.lose(joint.name, lost)
                if not is_zero(friction):
                    name = speed.removesuffix(".v").removeprefix(joint.name).lstrip(".")
                    bend = f"{name}.bend" if name else "bend"
                    bent = bristle(scene.state(bend, 0.0), v, friction, friction, 0.0, STRIBECK, STICK)
                    scene.rate(bend, bent.rate)
                    self.efforts[slot] = self.efforts[slot] - bent.force
                    self.energy = self.energy + bent.energy
                    self.loss = self.loss + bent.loss
                    self.account.lose(joint.name, bent.loss)

    def spot(self, place: Place) -> Spot:
        """The pose and the velocity in the world of a place on a link."""
        if place.link == WORLD:
            R = tuple(tuple(self.links.constant(x) for x in row) for row in place.R)
            return Spot(WORLD, R, place.p, self.tree.zero3, self.tree.zero3)
        if self._velocities is None:
            self._velocities = velocities(self.tree, self.v)
        R, origin = self.poses[place.link]
        w, u = self._velocities[place.link]
        axes = Matrix(R)
        u = axes.up(add(u, cross(w, place.p)))
        p = add(origin, axes.up(place.p))
        return Spot(place.link, product(R, place.R), p, axes.up(w), u)

    def push(self, spot: Spot, force: Vector, moment: Vector) -> None:
        """Adds a force at a spot and a moment, in world axes."""
        if spot.link == WORLD:
            return
        arm = sub(spot.p, self.poses[spot.link][1])
        self._add(spot.link, add(moment, cross(arm, force)), force)

    def push_link(self, place: Place, force: Vector) -> None:
        """Adds a force at a place of a link, in the link's axes."""
        if place.link != WORLD:
            n, f = self._own.get(place.link, (self.tree.zero3, self.tree.zero3))
            self._own[place.link] = add(n, cross(place.p, force)), add(f, force)

    def push_about_world(self, link: int, moment: Vector, force: Vector) -> None:
        """Adds a force on a link and its moment about the world's origin."""
        self._add(link, sub(moment, cross(self.poses[link][1], force)), force)

    def _add(self, link: int, moment: Vector, force: Vector) -> None:
        n, f = self._pushed.get(link, (self.tree.zero3, self.tree.zero3))
        self._pushed[link] = add(n, moment), add(f, force)

    def nears(self, sides: list[Any]) -> list[Expr]:
        """Adds pairs of contacts, each with an input that tells whether to evaluate it; returns those."""
        start = len(self.near)
        more = [symbol(f"near[{start + k}]", graph=self.tree.graph) for k in range(len(sides))]
        self.near += more
        self.candidates += sides
        return more

    def subtracted_from(self, wrenches: list[Wrench]) -> list[Wrench]:
        """The wrenches of the links minus those of the forces: what the joints must transmit."""
        left = list(wrenches)
        for link, (n, f) in self._pushed.items():
            R = Matrix(self.poses[link][0])
            left[link] = sub(left[link][0], R.down(n)), sub(left[link][1], R.down(f))
        for link, (n, f) in self._own.items():
            left[link] = sub(left[link][0], n), sub(left[link][1], f)
        return left

    def generalized(self) -> list[Any]:
        """The generalized force of all forces on each speed."""
        none = [(self.tree.zero3, self.tree.zero3)] * len(self.tree.branches)
        needed = self.tree.efforts(joint_wrenches(self.tree, self.subtracted_from(none)))
        return [e - x for e, x in zip(self.efforts, needed, strict=True)]
