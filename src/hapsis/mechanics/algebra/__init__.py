"""Vectors, rotations, inertias over any scalar: numbers or expressions."""
