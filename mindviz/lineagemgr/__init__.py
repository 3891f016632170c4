"""Compares how jobs were trained."""
