"""Dynamics of trees: inverse, forward, mass matrix, reactions, sensors."""
