"""Passes from Function to Function: eliminate, condense, order, hoist; and the report about them."""
