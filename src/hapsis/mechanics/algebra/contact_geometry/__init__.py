"""Contact geometry of two solids, over any scalar: gap, normal and point of each candidate contact."""
