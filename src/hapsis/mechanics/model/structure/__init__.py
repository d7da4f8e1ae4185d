"""How facts become a model: flattened, sorted into families, looked up by name, joined to a tree."""
