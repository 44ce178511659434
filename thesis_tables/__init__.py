"""Rendering the thesis's tables from recorded timings."""
