"""Feet that push, stick, slide and lift."""
