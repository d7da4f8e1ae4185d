"""Ours and rivals in one run: `hapsis bench NAME [--json]`, one package per name."""
