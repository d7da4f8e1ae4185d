"""Constraint rows, loop closure, and dynamics reduced to independent coordinates."""
