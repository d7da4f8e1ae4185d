"""Where solids touch: their poses to contact points, in native code; arrays only."""
