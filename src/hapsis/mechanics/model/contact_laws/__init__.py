"""Laws of contacts: one law is one file."""
