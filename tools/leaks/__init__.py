"""Models with every kind of fact, changes of them, and a record of what would be kept for each."""
