"""Cycles of hybrids: motions that repeat themselves, how stable they are, and how they change."""
