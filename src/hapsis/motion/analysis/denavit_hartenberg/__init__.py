"""Denavit-Hartenberg tables: of a model, and a model of one."""
