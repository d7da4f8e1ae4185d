"""Motion meets a hand: the loop, devices, recordings."""
