"""Forces of a model: one kind is one file."""
