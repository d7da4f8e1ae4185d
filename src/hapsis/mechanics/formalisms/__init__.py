"""From a model to Functions: each formalism has the book's formulas beside its lines."""
