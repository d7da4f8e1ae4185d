"""Shapes filled with particles: polygons, polyhedra, sweeps, solids."""
