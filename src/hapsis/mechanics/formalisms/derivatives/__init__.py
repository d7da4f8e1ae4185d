"""Analytic derivatives of the dynamics."""
