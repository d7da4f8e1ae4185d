"""Mechanisms to formulas: algebra, models, formalisms and file formats."""
