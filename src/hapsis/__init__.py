"""Hapsis: a compiler for mechanics with a person in the loop."""

__version__ = "0.1.0"
