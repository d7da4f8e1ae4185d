"""Backends, one per target; all compute the same numbers."""
