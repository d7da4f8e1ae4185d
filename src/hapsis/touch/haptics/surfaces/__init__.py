"""Sculptured surfaces that a hand touches: NURBS, the nearest point on them, contact by a proxy."""
