"""Machines that walk, hop and bounce."""
