"""Numerical methods over arrays; none of them knows what a model is."""
