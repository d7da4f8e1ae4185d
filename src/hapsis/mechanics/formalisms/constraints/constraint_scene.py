"""The scene as a constraint sees it while it says its rows."""

from collections.abc import Callable, Mapping
from numbers import Real
from typing import Any

from hapsis.compiler.ir.graph.expr import Expr, symbol
from hapsis.errors import ModelError, near
from hapsis.mechanics.algebra.vectors import Vector
from hapsis.mechanics.formalisms.tree.links import Place, label
from hapsis.mechanics.formalisms.tree.relative_kinematics import Path
from hapsis.mechanics.formalisms.tree.tree import Tree
from hapsis.mechanics.model.fact import Fact
from hapsis.mechanics.model.forces.controller import Readings
from hapsis.mechanics.model.joints.joint import LoopJoint
