"""What is derived from models and kept on disk, by what the model is."""
