"""Questions about a model that an iteration answers."""
