"""The spring and damper between a hand and the frame that it holds, with a largest force.

    point   d = p_frame - p_hand - offset                      in the axes of the world
    full    d and the rotation vector θ from the hand to the frame, in the axes of the hand

With s² = Σ K d², summed over all directions that are held, the energy is ½ s², and from where the force
is the largest one it grows in proportion to s only, so that the force is a gradient everywhere. The damper
gets what room the spring leaves; so no motion takes energy out of the pair that it did not put in.
"""

from typing import Any

from hapsis.compiler.ir.graph.elementary_functions import maximum, minimum, sqrt, where
from hapsis.compiler.ir.graph.immutable import frozen
from hapsis.mechanics.algebra.rotations import Matrix, product, transposed
from hapsis.mechanics.algebra.vectors import add, cross, dot, neg, scaled, sub
from hapsis.mechanics.model.forces.bushing import SIX, Bushing, rotation_vector, turning_moment
from hapsis.mechanics.model.forces.force import Scene, Spot
from hapsis.mechanics.model.values.values import AsValue, AsVector

TINY = 1e-30
ROWS = ("row1", "row2", "row3")


@frozen
class HandSpring(Bushing, noun="coupling"):  # no type of its own: no file holds it
    """Springs and dampers from a hand, its first end, to a frame, its second.

        kind      "full" or "point"
        length    m, over which moments count as forces
        most      N, the largest force
        held      1, or 0 where the hand holds nothing; what follows is set in each tick too where `grips`
        damped    how much of the damper acts
        offset    where the frame is in the hand while nothing pulls
        row1, row2, row3   the axes of the frame in those of the hand while nothing pulls
        grips     whether `held`, `damped` and `offset` count at all
        turned    whether these rows do

    Signals, on the frame and in the axes of the world: NAME.force, NAME.moment, NAME.share.
    """

    kind: str = "full"
    length: AsValue = 1.0
    most: AsValue = 100.0
    held: AsValue = 1.0
    damped: AsValue = 1.0
    offset: AsVector = (0.0, 0.0, 0.0)
    row1: AsVector = (1.0, 0.0, 0.0)
    row2: AsVector = (0.0, 1.0, 0.0)
    row3: AsVector = (0.0, 0.0, 1.0)
    grips: bool = False
    turned: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        self._make_values("length", "most", "held", "damped")
        self._make_vectors("offset", *ROWS)

    def act(self, scene: Scene) -> None:
        """Acts at the origin of the frame, and against that on the hand."""
        first, second = scene.spot("first"), scene.spot("second")
        k, c = scene.numbers("stiffness", SIX), scene.numbers("damping", SIX)
        if self.grips:
            held, damped = scene.number("held"), scene.number("damped")
            k, c = [held * x for x in k], [damped * x for x in c]
        if self.kind == "point":
            self._pull(scene, first, second, k[3:], c[3:])
        else:
            self._pull_and_turn(scene, first, second, k, c)

    def _offset(self, scene: Scene) -> Any:
        return tuple(scene.numbers("offset", "xyz"))

    def _pull(self, scene: Scene, first: Spot, second: Spot, k: Any, c: Any) -> None:
        """A force between the two origins."""
        d, u = sub(second.p, first.p), sub(second.u, first.u)
        if self.grips:
            d = sub(d, self._offset(scene))
        (pull,), (brake,), share, energy = self._limited(scene, [(_each(k, d), d)], [_each(c, u)], k)
        force = neg(add(pull, brake))
        scene.push(second, force)
        scene.push(first, neg(force))
        self._tell(scene, force, scaled(0.0, force), share, energy, dot(brake, u))

    def _pull_and_turn(self, scene: Scene, first: Spot, second: Spot, k: Any, c: Any) -> None:
        """A force at the origin of the frame, and a moment."""
        axes = Matrix(first.R)
        arm = sub(second.p, first.p)
        # the point of the hand that coincides with the origin of the frame, and its velocity
        there = first._replace(p=second.p, u=add(first.u, cross(first.w, arm)))
        d, u = axes.down(arm), axes.down(sub(second.u, there.u))
        w = axes.down(sub(second.w, first.w))
        R = product(transposed(first.R), second.R)
        if self.grips:
            d = sub(d, self._offset(scene))
        if self.turned:
            turn = tuple(tuple(scene.numbers(row, "xyz")) for row in ROWS)
            R = product(R, transposed(turn))
        theta = rotation_vector(R)
        springs, dampers = (
            [(_each(k[:3], theta), theta), (_each(k[3:], d), d)],
            [_each(c[:3], w), _each(c[3:], u)],
        )
        (twist, pull), (roll, brake), share, energy = self._limited(scene, springs, dampers, k)
        force, moment = neg(add(pull, brake)), neg(add(turning_moment(theta, twist), roll))
        f, m = axes.up(force), axes.up(moment)
        scene.push(second, f, m)
        scene.push(there, neg(f), neg(m))
        self._tell(scene, f, m, share, energy, dot(roll, w) + dot(brake, u))

    def _limited(self, scene: Scene, springs: Any, dampers: Any, k: Any) -> tuple[Any, Any, Any, Any]:
        """Springs and dampers that together are not longer than the largest force; the share; the energy.

        springs    (K x, x) of moments, if there are any, and of forces
        """
        most, length = scene.number("most"), scene.number("length")
        units = [1.0 / (length * length), 1.0][-len(springs) :]
        stiffest = maximum(maximum(k[-3], k[-2]), k[-1])
        if len(springs) == 2:
            stiffest = maximum(stiffest, units[0] * maximum(maximum(k[0], k[1]), k[2]))
        square = sum((dot(pull, x) for pull, x in springs), 0.0 * length)
        force = sqrt(stiffest * square + TINY * most * most)
        share = most / maximum(force, most)
        pulls = [scaled(share, pull) for pull, _ in springs]
        beyond = (most / maximum(stiffest, TINY * most)) * (force - 0.5 * most)
        energy = where(force > most, beyond, 0.5 * square)
        # the largest part of the damper with |spring + part · damper| = most
        a = sum((unit * dot(y, y) for unit, y in zip(units, dampers, strict=True)), TINY * most * most)
        b = sum((unit * dot(x, y) for unit, x, y in zip(units, pulls, dampers, strict=True)), 0.0 * length)
        room = maximum(
            most * most - sum((u * dot(x, x) for u, x in zip(units, pulls, strict=True)), 0.0), 0.0
        )
        part = minimum((sqrt(b * b + a * room) - b) / a, 1.0)
        return pulls, [scaled(part, y) for y in dampers], minimum(share, part), energy

    def _tell(self, scene: Scene, force: Any, moment: Any, share: Any, energy: Any, loss: Any) -> None:
        scene.signal("force", force)
        scene.signal("moment", moment)
        scene.signal("share", share)
        scene.store(energy, loss)


def _each(k: Any, x: Any) -> Any:
    return k[0] * x[0], k[1] * x[1], k[2] * x[2]
