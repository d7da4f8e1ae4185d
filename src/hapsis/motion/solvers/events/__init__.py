"""Samples and events inside a step."""
