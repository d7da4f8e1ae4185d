"""Pictures of the page on loops are what the methods draw now."""

import loop_plots
import pytest
from pictures import all_shown, drawn_again


@pytest.mark.parametrize("name", loop_plots.PICTURES.plots)
def test_the_picture_is_drawn_again(name, tmp_path):
    drawn_again(loop_plots, name, tmp_path, largest=20_000)


def test_every_picture_is_on_the_page_and_no_other():
    all_shown(loop_plots, "closing_loops.md")
