"""Floor 4: motion meets a hand."""
