"""How records follow each other in a log file."""

from __future__ import annotations

from enum import Enum


class Framing(Enum):
    """The two framings in use."""

    TFRECORD = "tfrecord"
    """u64le length, u32le masked CRC-32C of it, payload, u32le masked CRC-32C of the payload.

    Source: TensorFlow's record_writer; MindSpore writes the same.
    """
    LENGTH_PREFIXED = "length_prefixed"
    """u64le length, payload; no checksum. Source: VisualDL's record_writer."""
