"""The pictures of the page on tasks by particles are what its tool draws now."""

import particle_task_plots
import pytest
from pictures import all_shown, drawn_again


@pytest.mark.slow
@pytest.mark.parametrize("name", particle_task_plots.PICTURES.plots)
def test_the_picture_is_drawn_again(name, tmp_path):
    drawn_again(particle_task_plots, name, tmp_path)


def test_every_picture_is_on_the_page_and_no_other():
    all_shown(particle_task_plots, "particle_tasks.md")
