"""Designed parts: what they weigh, and where joints go."""
