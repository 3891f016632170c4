"""Exports the data of many train jobs as one file, for other programs."""
