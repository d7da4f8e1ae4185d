"""Constraint rows, loops closed, and dynamics reduced to independent coordinates."""
