"""Devices: what the loop reads and writes, one kind per file."""
