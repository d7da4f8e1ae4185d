"""A motion made ready for a page or a picture: drawings, frames, series and arrays as texts."""
