"""Integrators: one method is one file, with the step control they share."""
