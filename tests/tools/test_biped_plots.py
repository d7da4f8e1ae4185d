"""The pictures of the page on the biped are those that its tool draws."""

import biped_plots
import pytest
from pictures import all_shown, drawn_again


@pytest.mark.parametrize("name", biped_plots.PICTURES.plots)
def test_each_picture_is_drawn_again(name, tmp_path):
    drawn_again(biped_plots, name, tmp_path)


def test_all_are_shown():
    all_shown(biped_plots, "biped.md")
