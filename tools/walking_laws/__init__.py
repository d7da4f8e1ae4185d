"""Random cycles, feet, blows and programs, each with the law that it must keep."""
