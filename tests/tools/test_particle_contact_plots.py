"""Pictures of the page on contacts of particles are what runs draw now."""

import particle_contact_plots
import pytest
from pictures import all_shown, drawn_again


@pytest.mark.slow
@pytest.mark.parametrize("name", particle_contact_plots.PICTURES.plots)
def test_the_picture_is_drawn_again(name, tmp_path):
    drawn_again(particle_contact_plots, name, tmp_path, largest=20_000)


def test_every_picture_is_on_the_page_and_no_other():
    all_shown(particle_contact_plots, "particle_contacts.md")
