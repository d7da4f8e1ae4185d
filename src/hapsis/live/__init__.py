"""Pages that compute: a model with its compiled step in one file, which anybody can open and grab."""
