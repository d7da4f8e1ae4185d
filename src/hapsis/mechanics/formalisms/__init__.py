"""From a model to Functions: each formalism is the book's table on one screen."""
