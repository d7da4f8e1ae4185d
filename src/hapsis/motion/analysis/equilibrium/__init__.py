"""Equilibrium poses."""
