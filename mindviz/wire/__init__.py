"""Framing, checksums, and the messages of the three log formats with their encoders."""
