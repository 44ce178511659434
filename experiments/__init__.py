# SPDX-License-Identifier: MIT
"""Running the thesis's schedule and recording what was measured."""
