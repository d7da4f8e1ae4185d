"""Calls of compiled Functions from Python, checked, for one state or a batch."""
