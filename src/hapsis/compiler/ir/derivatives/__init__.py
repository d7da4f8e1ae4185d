"""Derivatives of operations, blocks and whole Functions."""
