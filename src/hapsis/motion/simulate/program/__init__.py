"""Models as whole programs in C, with their initialisation files."""
