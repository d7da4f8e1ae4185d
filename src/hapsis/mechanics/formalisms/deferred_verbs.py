"""The verbs that a motion needs. Where their Functions are known, what writes them is not imported.

That is half of all modules: a process that finds everything in the cache starts without them.
"""

from typing import TYPE_CHECKING

from hapsis.mechanics.formalisms.kept_verbs import deferred

_HERE = __name__.rpartition(".")[0]
_HOMES = {
    "constraints.constraint_rows": "constraints drifts row_rates",
    "constraints.reduced_dynamics": (
        "partitioned_dynamics closed_state_rates constraint_loads closed_state dependent_pivots"
    ),
    "dynamics.canonical": "canonical",
    "dynamics.mass_matrix": "mass_matrix",
    "dynamics.measurements": "measurements",
    "dynamics.reactions": "reaction reactions",
    "dynamics.state_rates": "state_rates signals stored_energies arrows approach broad_phase",
    "dynamics.velocity_terms": "velocity_terms drift",
    "kane.speed_basis": "completed_speeds",
    "tree.body_poses": "body_poses",
    "tree.coordinate_rates": "coordinate_rates",
    "tree.frame_signals": "frame_signal",
}
if TYPE_CHECKING:
    from hapsis.mechanics.formalisms.constraints.constraint_rows import constraints as constraints
    from hapsis.mechanics.formalisms.constraints.constraint_rows import drifts as drifts
    from hapsis.mechanics.formalisms.constraints.constraint_rows import row_rates as row_rates
    from hapsis.mechanics.formalisms.constraints.reduced_dynamics import closed_state as closed_state
    from hapsis.mechanics.formalisms.constraints.reduced_dynamics import (
        closed_state_rates as closed_state_rates,
    )
    from hapsis.mechanics.formalisms.constraints.reduced_dynamics import constraint_loads as constraint_loads
    from hapsis.mechanics.formalisms.constraints.reduced_dynamics import dependent_pivots as dependent_pivots
    from hapsis.mechanics.formalisms.constraints.reduced_dynamics import (
        partitioned_dynamics as partitioned_dynamics,
    )
    from hapsis.mechanics.formalisms.dynamics.canonical import canonical as canonical
    from hapsis.mechanics.formalisms.dynamics.mass_matrix import mass_matrix as mass_matrix
    from hapsis.mechanics.formalisms.dynamics.measurements import measurements as measurements
    from hapsis.mechanics.formalisms.dynamics.reactions import reaction as reaction
    from hapsis.mechanics.formalisms.dynamics.reactions import reactions as reactions
    from hapsis.mechanics.formalisms.dynamics.state_rates import approach as approach
    from hapsis.mechanics.formalisms.dynamics.state_rates import arrows as arrows
    from hapsis.mechanics.formalisms.dynamics.state_rates import broad_phase as broad_phase
    from hapsis.mechanics.formalisms.dynamics.state_rates import signals as signals
    from hapsis.mechanics.formalisms.dynamics.state_rates import state_rates as state_rates
    from hapsis.mechanics.formalisms.dynamics.state_rates import stored_energies as stored_energies
    from hapsis.mechanics.formalisms.dynamics.velocity_terms import drift as drift
    from hapsis.mechanics.formalisms.dynamics.velocity_terms import velocity_terms as velocity_terms
    from hapsis.mechanics.formalisms.kane.speed_basis import completed_speeds as completed_speeds
    from hapsis.mechanics.formalisms.tree.body_poses import body_poses as body_poses
    from hapsis.mechanics.formalisms.tree.coordinate_rates import coordinate_rates as coordinate_rates
    from hapsis.mechanics.formalisms.tree.frame_signals import frame_signal as frame_signal
else:
    globals().update(
        {name: deferred(f"{_HERE}.{home}", name) for home, names in _HOMES.items() for name in names.split()}
    )
