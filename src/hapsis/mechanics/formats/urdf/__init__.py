"""URDF, read and written."""
