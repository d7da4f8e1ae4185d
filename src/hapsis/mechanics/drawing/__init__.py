"""What is drawn of a model: shapes, joints as what they are, springs, ground; plain tables for the pages."""
