"""Many runs of one model: their motions, and tables of what was measured in them."""
