# SPDX-License-Identifier: MIT
"""Rendering the thesis's tables from recorded timings."""
