"""Recording and replay: what a loop did, kept in a file and done again."""
