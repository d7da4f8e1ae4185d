"""The pictures of the page on virtual mechanisms are what the tool draws now."""

import grasp_plots
import pytest
from pictures import all_shown, drawn_again


@pytest.mark.parametrize("name", grasp_plots.PICTURES.plots)
def test_the_pictures_are_what_the_tool_draws(name, tmp_path):
    drawn_again(grasp_plots, name, tmp_path)


def test_all_are_on_the_page():
    all_shown(grasp_plots, "virtual_mechanisms.md")
