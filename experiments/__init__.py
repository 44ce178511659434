"""Running the thesis's schedule and recording what was measured."""
