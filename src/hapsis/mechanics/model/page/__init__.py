"""What a shared page of a model offers: a finger, sounds, sliders."""
