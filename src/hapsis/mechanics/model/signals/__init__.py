"""Signals by name: their units, plots, tables for other programs."""
