"""What rolls and slides on an edge."""
