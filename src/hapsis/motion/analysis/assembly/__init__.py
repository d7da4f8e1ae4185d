"""Closed loops: assembly, partition, cuts, and which reactions are unique."""
