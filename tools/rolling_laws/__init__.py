"""Laws of what rolls, of generalized speeds and of Kane's equations, on random mechanisms."""
