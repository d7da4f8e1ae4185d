"""What deforms: connectors, cells, materials, and objects made of them."""
