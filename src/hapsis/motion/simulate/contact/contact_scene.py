"""The scene of a model's contacts for native code: blocks of speeds, bodies, solids, pairs and their laws."""

from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.expr import symbol
from hapsis.mechanics.formalisms.deferred_verbs import drift, velocity_terms
from hapsis.mechanics.formalisms.dynamics.velocity_terms import Blocks, speed_blocks, supports
from hapsis.mechanics.model.derived import derived
from hapsis.mechanics.model.forces.joint_spring import JointSpring
from hapsis.mechanics.model.signals.column_units import column_units
from hapsis.mechanics.model.units import coordinate_units
from hapsis.motion.simulate.contact.contact_model import (
    ContactModel,
    Numbers,
    friction_numbers,
    normal_numbers,
)
from hapsis.motion.simulate.contact.mobility import ease_scene, free_fields, weigh_free_bodies
from hapsis.motion.simulate.contact.scene_solids import (
    half_thicknesses,
    local_poses,
    pair_table,
    place_still,
    solids_of,
)
from hapsis.motion.simulate.contact.step_rows import PLACED, StepRows, step_rows
from hapsis.motion.simulate.contact.touching_pairs import structure
from hapsis.motion.simulate.equations.kernels import Kernels
from hapsis.motion.simulate.equations.system import System
from hapsis.motion.solvers.contact.closure import CARRIED
from hapsis.motion.solvers.contact.contact_memory import HUNT_CROSSLEY, LINEAR, PUSH, SPRING, ContactScene
from hapsis.motion.solvers.contact.geometry.broad_phase import Sweep
from hapsis.motion.solvers.contact.rebounds import bounce_tables

TOUCHES = 24  # near pairs of each solid that there is room for
LARGEST = 50_000_000  # numbers of a factor


def blocks_of(parts: ContactModel, rows: StepRows) -> Blocks:
    """The blocks of speeds, with all that rows connect in one."""
    key = blocks_of, rows.index
    return derived(parts.whole, key, lambda: speed_blocks(parts.smooth, rows.index))


def terms_function(system: System, blocks: Blocks, bodies: tuple[str, ...]) -> Function:
    """(t, y, u, h) -> A, b, X, J."""

    def write() -> Function:
        x = system.symbols()
        h = symbol("h", graph=x["t"].graph)
        terms = velocity_terms(system.model, blocks, bodies)
        outputs = system.outputs_by_name(terms, {**x, "h": h})
        return Function("contact_terms", {**system.state_inputs(x), "h": h}, outputs)

    key = "contact terms", blocks, bodies
    function = system.store.function(key, write)
    assert function is not None
    return function


class SceneTables:
    """Fills the tables of a scene."""

    def __init__(
        self,
        parts: ContactModel,
        kernels: Kernels,
        numbers: Numbers,
        limits: bool,
        by_input: tuple[str, ...] = (),
    ) -> None:
        self.parts, self.kernels, self.numbers, self.by_input = parts, kernels, numbers, by_input
        self.driven = np.zeros(max(1, 2 * len(by_input)))  # position and velocity of each drive by input
        self.found = structure(parts)
        self.rows = self._rows(limits)
        self.blocks = blocks_of(parts, self.rows)
        self.order = np.array([slot for block in self.blocks for slot in block], np.int64)
        self.place = {slot: k for k, slot in enumerate(self.order.tolist())}

    def _rows(self, limits: bool) -> StepRows:
        """The rows of the step; kept with the model where no parameters are given."""

        def make() -> tuple[StepRows, frozenset[str]]:
            rows = step_rows(self.parts, self.kernels.system, self.numbers, limits, self.by_input)
            return rows, frozenset(self.numbers.read)

        if self.numbers.given or self.kernels.system.inputs.functions:
            return make()[0]
        rows, read = derived(self.parts.whole, (step_rows, limits, self.by_input), make)
        self.numbers.read |= read
        return rows

    def scene(self) -> ContactScene:
        """The scene, with its kernels."""
        found, parts, kernels = self.found, self.parts, self.kernels
        blocks, bodies, pairs = self.blocks, found.bodies, found.pairs
        moved = supports(parts.smooth)
        sizes = np.array([len(block) for block in blocks])
        support = [[self.place[slot] for slot in moved[body]] for body in bodies]
        numbers = {name: k for k, name in enumerate(bodies)}
        solid_body = np.array([numbers.get(body, -1) for body, _ in found.carriers], np.int64)
        block_of = np.repeat(np.arange(len(blocks)), sizes)
        widths = [len(each) for each in support]
        widest = 2 * max(widths, default=0)
        touches = min(len(pairs), TOUCHES * len(found.solids))
        n_v = len(self.order)
        system = kernels.system
        terms = terms_function(system, blocks, bodies)
        drifting = system.store.function("contact drift", lambda: drift(parts.free))
        assert drifting is not None
        shared = kernels.shared(terms)
        layout = system.layout
        scene = ContactScene(
            solids=solids_of(found, self.numbers),
            sweep=Sweep(count=len(found.solids)),
            terms=kernels.bind(terms, ("t", "y", "h", "A", "b", "X", "J"), **shared),
            drift=kernels.bind(drifting, ("w", "dw")),
            n_q=layout.n_q,
            n_v=n_v,
            block_count=len(blocks),
            body_count=len(bodies),
            pair_count=len(pairs),
            support_count=sum(widths),
            matrix_size=int((sizes**2).sum()),
            jacobian_size=6 * sum(widths),
            widest=max(widest, 1),
            touch_room=max(touches, 1),
            factor_room=int(min(n_v * n_v, LARGEST)),
            **self._stiffness(sizes),
            powered=layout.n_z > 0 or self._powered(),
            solids_count=len(found.solids),
            order=self.order,
            turns=np.array([unit == "rad/s" for unit in self._speed_units()], np.int64),
            block_of=block_of.astype(np.int64),
            block_first=_starts(sizes),
            block_start=_starts(sizes**2),
            support_first=_starts(widths),
            supports=np.array([k for each in support for k in each], np.int64),
            body_J=_starts([6 * width for width in widths]),
            body_block=np.array([block_of[each[0]] for each in support], np.int64),
            solid_body=solid_body,
            local=local_poses(found, self.numbers).ravel(),
            first=np.array([pair.first for pair in pairs], np.int64),
            second=np.array([pair.second for pair in pairs], np.int64),
            **pair_table(found),
            **free_fields(parts.free, self.blocks),
            **self._laws(),
            **self._row_fields(),
            **self._law_fields(),
        )
        scene.thin[:] = half_thicknesses(scene.solids)
        place_still(scene, parts, found, self.numbers)
        scene.bounces[:] = bounce_tables()
        return scene

    def ease(self, scene: ContactScene, t: float, y: Any, step: float) -> None:
        """Says how easily bodies and rows are moved, from the masses at a state."""
        smooth = self.parts.smooth
        ease_scene(scene, smooth.speeds, smooth.gravity_vector, self.rows, t, y, step)
        weigh_free_bodies(scene, y)

    def _stiffness(self, sizes: Any) -> dict[str, Any]:
        """Room for masses, where forces may have a stiffness that is negative along some way."""
        if all(isinstance(force, JointSpring) for force in self.parts.smooth.forces.values()):
            return {}
        largest = int(max(sizes, default=0))
        room = {"stiff_size": int((sizes**2).sum()), "eigen_size": 2 * largest**2 + largest}
        return {"pressed": True} | room

    def _speed_units(self) -> list[str]:
        speeds = self.parts.smooth.speeds
        units = column_units(self.parts.smooth, speeds)
        return [units[speed] for speed in speeds]

    def _powered(self) -> bool:
        """Whether anything does work that is not stored: inputs, forces, damping of joints."""
        model = self.parts.smooth
        numbers = Numbers(self.parts.whole, self.numbers.given)  # of its own: no table has these
        damped = any(numbers.value(joint.damping) != 0.0 for joint in model.moving)
        return bool(model.forces or self.kernels.system.inputs.names or damped)

    def _laws(self) -> dict[str, Any]:
        """The laws of all pairs; kept with the model where no parameters are given."""
        if self.numbers.given:
            return self._written_laws()
        return derived(self.parts.whole, SceneTables, self._written_laws)

    def _written_laws(self) -> dict[str, Any]:
        contacts = self.parts.contacts
        across = [normal_numbers(contact, self.numbers) for contact in contacts]
        along = [friction_numbers(contact, self.numbers) for contact in contacts]
        which = [pair.contact for pair in self.found.pairs]
        return {
            "law": np.array([LINEAR if across[k].linear else HUNT_CROSSLEY for k in which], np.int64),
            "law_numbers": np.array([across[k].numbers for k in which], float).ravel(),
            "friction": np.array([along[k] for k in which], float).ravel(),
        }

    def _row_fields(self) -> dict[str, Any]:
        """The tables of rows, and the kernel of their values."""
        rows, kernels = self.rows, self.kernels
        if rows.function is None:
            return {}
        index = np.zeros((len(rows.rows), rows.width), np.int64)
        for k, places in enumerate(rows.index):
            index[k, : len(places)] = [self.place[slot] for slot in places]
        shared = kernels.shared(rows.function)
        if self.by_input:
            shared["driven"] = self.driven
        return {
            "row_count": len(rows.rows),
            "rigid_rows": any(row.law == SPRING and row.rigid for row in rows.rows),
            "rigid_stops": any(row.law == PUSH and row.rigid for row in rows.rows),
            "row_width": rows.width,
            "row_law": np.array([row.law for row in rows.rows], np.int64),
            "row_rigid": np.array([int(row.law == SPRING and row.rigid > 0) for row in rows.rows], np.int64),
            "row_placed": np.array([int(row.rigid == PLACED) for row in rows.rows], np.int64),
            "row_works": np.array([int(row.works) for row in rows.rows], np.int64),
            "row_unit": np.array([row.unit for row in rows.rows]),
            "place_unit": np.array(coordinate_units(self.parts.whole)),
            "row_carried": np.array([CARRIED if row.closes else 1.0 for row in rows.rows]),
            "row_size": np.array([len(places) for places in rows.index], np.int64),
            "row_index": index.ravel(),
            "row_terms": kernels.bind(rows.function, ("t", "y", "values"), **shared),
            **self._energies(),
        }

    def _energies(self) -> dict[str, Any]:
        """The kernel of energies, for runs in which drives and rigid stops do work."""
        working = any(row.rigid and row.works for row in self.rows.rows)
        if not working or self.by_input:
            return {}
        function = self.kernels.system.energies()
        shared = self.kernels.shared(function)
        kernel = self.kernels.bind(function, ("t", "y", "kinetic", "potential"), **shared)
        return {"energies": kernel, "accounted": True}

    def _law_fields(self) -> dict[str, Any]:
        """The kernel of how states of laws change each other's rates; nothing without any."""
        system, kernels = self.kernels.system, self.kernels
        if not system.layout.n_z:
            return {}
        slopes = system.law_jacobian()
        kernel = kernels.bind(slopes, ("t", "y", "J"), **kernels.shared(slopes))
        return {"law_count": system.layout.n_z, "law_slopes": kernel}


def _starts(sizes: Any) -> Any:
    return np.concatenate([[0], np.cumsum(np.asarray(sizes, np.int64))]).astype(np.int64)
