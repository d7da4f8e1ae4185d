"""What a designer asks of a mechanism: where it reaches, and where its links meet."""
