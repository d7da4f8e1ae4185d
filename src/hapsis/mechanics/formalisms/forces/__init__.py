"""Forces, contacts and drives as expressions."""
