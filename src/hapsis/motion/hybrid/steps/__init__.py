"""Whole time steps of a hybrid, for loops and pages."""
