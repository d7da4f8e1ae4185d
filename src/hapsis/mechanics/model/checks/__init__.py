"""Checks of a model: inertias, plausible units, facts that contradict each other."""
