"""Linear equations, least squares and searches over arrays."""
