"""Joints: one family is one file."""
