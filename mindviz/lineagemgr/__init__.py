"""Lineage: how jobs were trained, compared in a table."""
