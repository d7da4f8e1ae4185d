"""A mechanism as one page that computes: grab it, turn the sliders; no server, nothing from elsewhere."""

import hapsis as hs

hs.share(hs.library.slider_crank(), "slider_crank.html", parameters=["r", "l"])  # one file, no server

print("slider_crank.html: open it in a browser")
