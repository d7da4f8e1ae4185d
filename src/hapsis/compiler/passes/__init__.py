"""Function to Function: eliminate, condense, order; and the reports about them."""
