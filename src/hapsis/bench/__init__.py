"""Ours and rivals in one run: `hapsis bench NAME [--json]`, one module per name."""
