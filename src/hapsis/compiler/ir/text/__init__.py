"""Expressions and Functions as text for people and for SymPy."""
