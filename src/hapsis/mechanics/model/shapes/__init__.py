"""Shapes of bodies and the surfaces at which they can be touched."""
