"""Many runs of one model at once."""
