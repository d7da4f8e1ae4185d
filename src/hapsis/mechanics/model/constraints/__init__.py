"""Constraints that are no joints, and the rows by which a joint closes a loop."""
