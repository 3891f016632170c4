"""Showing: the training dashboard."""
