"""The picture of the page Hello, wall is what its program gives now."""

import hello_wall_plots
import pytest
from pictures import all_shown, drawn_again


@pytest.mark.parametrize("name", hello_wall_plots.PICTURES.plots)
def test_the_picture_is_drawn_again(name, tmp_path):
    drawn_again(hello_wall_plots, name, tmp_path, largest=60_000)


def test_every_picture_is_on_the_page_and_no_other():
    all_shown(hello_wall_plots, "hello_wall.md")
