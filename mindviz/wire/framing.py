"""The framing of records in log files."""

from __future__ import annotations

import struct
from enum import Enum
from typing import TypeVar

from mindviz.errors import DamagedValue
from mindviz.wire.crc32c import masked_crc32c

HEADER_SIZE, FOOTER_SIZE = 12, 4
"""Bytes before and after the payload of a TFRECORD."""


class Framing(Enum):
    """The two framings."""

    TFRECORD = "tfrecord"
    """u64le length, u32le masked CRC-32C of it, payload, u32le masked CRC-32C of the payload.

    Source: TensorFlow's record_writer; MindSpore writes the same.
    """
    LENGTH_PREFIXED = "length_prefixed"
    """u64le length, payload; no checksum. Source: VisualDL's record_writer."""


Record = TypeVar("Record", bytes, memoryview)


def unpack_record(framing: Framing, record: Record) -> Record:
    """The payload of one record, after verification of its length and checksums.

    Raises DamagedValue.
    """
    if framing is Framing.LENGTH_PREFIXED:
        payload = record[8:]
        if len(record) < 8 or struct.unpack_from("<Q", record)[0] != len(payload):
            raise DamagedValue("The record's length is damaged.")
        return payload
    if len(record) < HEADER_SIZE + FOOTER_SIZE:
        raise DamagedValue("The record is cut off.")
    payload = record[HEADER_SIZE:-FOOTER_SIZE]
    length, length_crc = struct.unpack_from("<QI", record)
    if length_crc != masked_crc32c(record[:8]) or length != len(payload):
        raise DamagedValue("The record's length is damaged.")
    if struct.unpack("<I", record[-FOOTER_SIZE:])[0] != masked_crc32c(payload):
        raise DamagedValue("The record fails its checksum.")
    return payload
