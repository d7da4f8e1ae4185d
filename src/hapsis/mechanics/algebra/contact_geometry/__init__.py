"""Where two solids touch, over any scalar: gap, normal and point of each candidate contact."""
