"""Bytes: framing, checksums, the three formats' messages and their encoders. Knows no train job."""
