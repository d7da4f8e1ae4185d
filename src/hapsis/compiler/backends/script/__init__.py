"""Source text in Python and MATLAB."""
