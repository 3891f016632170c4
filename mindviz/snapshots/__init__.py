"""Snapshots: the page and its data as one HTML file, or as a folder for any web host."""
