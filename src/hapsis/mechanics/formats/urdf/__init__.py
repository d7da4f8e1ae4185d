"""Reader and writer of URDF."""
