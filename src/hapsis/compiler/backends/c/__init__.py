"""C99 source text with its header and self-test."""
