"""Identification: observations, fits, parameter substitution."""
