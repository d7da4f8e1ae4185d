"""Simulation: a model's equations integrated in time."""
