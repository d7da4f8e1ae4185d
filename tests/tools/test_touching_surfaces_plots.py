"""The pictures of the page on touching surfaces are what its tool draws now."""

import pytest
import touching_surfaces_plots
from pictures import all_shown, drawn_again


@pytest.mark.parametrize("name", touching_surfaces_plots.PICTURES.plots)
def test_the_picture_is_drawn_again(name, tmp_path):
    drawn_again(touching_surfaces_plots, name, tmp_path, largest=60_000)


def test_every_picture_is_on_the_page_and_no_other():
    all_shown(touching_surfaces_plots, "touching_surfaces.md")
