"""Hybrids in files and as programs in C."""
