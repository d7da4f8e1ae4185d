"""The verb `assemblies`: the different ways to close the loops, searched from many starts."""

from collections.abc import Mapping

import numpy as np

from hapsis.compiler.ir.functions.activity import Activity
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import notice
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.state import State
from hapsis.motion.analysis.assembly.assemble import Problem
from hapsis.motion.analysis.assembly.branches import counted_branches, ranked, unwound
from hapsis.motion.analysis.assembly.loop_closers import Closer
from hapsis.motion.analysis.assembly.loop_numbers import Array
from hapsis.motion.analysis.assembly.loop_report import reported, strayed
from hapsis.motion.analysis.assembly.loop_speeds import slots_of
from hapsis.motion.solvers.linear.full_pivot_lu import pivots


@verb
def assemblies(model: Model, given: Mapping[str, float] | None = None) -> tuple[State, ...]:
    """The different assemblies of a model, nearest to the start first.

    given   {coordinate: value} of those that are held

    If the mechanism can still move with these coordinates held, the independent coordinates of the
    nearest assembly are held as well. Poses in which it can move even then, as when it is folded, are
    left out. The search uses the same starts every time, so the answer does not change, and goes on until
    every assembly was found from two starts; a notice says so where that does not happen. For small
    mechanisms it is likely, but not certain, that no assembly is missed.
    """
    with Activity("searching assemblies"):
        return _assemblies(model, given)


def _assemblies(model: Model, given: Mapping[str, float] | None) -> tuple[State, ...]:
    problem = Problem(model, given, "auto")
    first = problem.closed().q
    report = reported(problem.closer, first, problem.held, given is not None)
    held = {*problem.held, *slots_of(problem.loops, report.independent)}
    closer = problem.closer.holding(sorted(held))
    counted = counted_branches(closer, first, np.full(len(first), np.nan), "auto")
    counted = [(q, n) for k, (q, n) in enumerate(counted) if k == 0 or isolated(closer, q)]
    if len(counted) > 1 and any(n == 1 for _, n in counted):
        notice("some assemblies were found from one start only: there may be more that were not found")
    poses = [q for q, _ in counted]
    start = problem.start
    poses = [unwound(closer, q, start) for q in poses]
    return tuple(problem.state(q) for q in ranked(closer, poses, start, start))


def isolated(closer: Closer, q: Array) -> bool:
    """Whether the loops close nowhere else nearby."""
    J = closer.jacobian(q)
    rank = pivots(J).rank
    return rank == J.shape[1] or strayed(closer, q, rank, np.random.default_rng(4)) is None
