"""Attacks on what Hapsis reads: damaged and hostile files, results, recordings and cache entries."""
