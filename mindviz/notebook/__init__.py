"""Notebooks: the page's charts as widgets, and the page itself in a cell."""
