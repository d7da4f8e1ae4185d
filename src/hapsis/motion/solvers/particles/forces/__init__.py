"""Forces on particles: connectors, cells, cords, planes, hands."""
