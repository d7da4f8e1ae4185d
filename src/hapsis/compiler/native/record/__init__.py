"""Records: named fields over memory that Python and machine code share."""
