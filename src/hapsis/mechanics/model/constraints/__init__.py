"""Constraints other than joints, and the constraint rows of joints that close loops."""
