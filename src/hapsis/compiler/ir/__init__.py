"""The expression graph, its rules and derivatives, Functions, cost and text forms."""
