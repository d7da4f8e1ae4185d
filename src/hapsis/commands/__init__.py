"""What the commands on model files do. Each prints its report; what is wrong is raised."""
