"""Functions: named inputs and outputs, blocks inside them, and tables of numbers."""
