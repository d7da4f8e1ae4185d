"""Virtual mechanisms: mechanisms that a hand holds by a frame, and what it feels of them."""
