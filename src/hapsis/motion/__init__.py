"""Formulas move: solvers, analysis, simulation."""
