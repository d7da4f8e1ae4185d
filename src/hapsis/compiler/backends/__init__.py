"""One file per target; all give the same numbers."""
