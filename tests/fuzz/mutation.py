"""Structured mutations of logs and messages.

Random changes rarely pass a log's checksums, so these change fields of a message and recompute all
lengths and checksums around them.
"""

from __future__ import annotations

import random
import struct
from collections.abc import Callable

from mindviz.wire.encode import frame, varint
from mindviz.wire.framing import Framing

_POWERS = [1 << bits for bits in (31, 32, 53, 62, 63)]
NUMBERS = (0, 1, 127, 128, 255, 65535, *_POWERS, *(power - 1 for power in _POWERS))
FLOATS = (0.0, -0.0, -1.0, 5e-324, 1e15, 1e300, -1e308, float("nan"), float("inf"), -float("inf"))
STRINGS = (b"", b"\0", b"\xff\xfe", b"loss", b"a/b", b"x" * 257, b"{", b"[" * 300, b"1e999", b"NaN")
_HEADERS = {Framing.TFRECORD: (12, 4), Framing.LENGTH_PREFIXED: (8, 0)}

Field = tuple[int, int, int, int, int]
"""(where it begins, where it ends, its number, its wire type, where its content begins)."""


def records(log: bytes, framing: Framing) -> tuple[list[bytes], bytes]:
    """Payloads of the records of a log, and the bytes after the last; checksums are ignored."""
    header, footer = _HEADERS[framing]
    found, at = [], 0
    while at + header + footer <= len(log):
        length = int.from_bytes(log[at : at + 8], "little")
        end = at + header + length + footer
        if end > len(log):
            break
        found.append(log[at + header : end - footer])
        at = end
    return found, log[at:]


def fields(message: bytes) -> list[Field]:
    """The fields of a message; none if it is malformed."""
    found, at = [], 0
    while at < len(message):
        begin = at
        key, at = _varint(message, at)
        content = at
        if key & 7 == 0:
            _, at = _varint(message, at)
        elif key & 7 == 2:
            length, content = _varint(message, at)
            at = content + length
        else:
            at += {1: 8, 5: 4}.get(key & 7, len(message) + 1)
        if at > len(message) or content < 0:
            return []
        found.append((begin, at, key >> 3, key & 7, content))
    return found


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """The number and the position behind it; beyond the end if it is cut off."""
    value = 0
    for shift in range(0, 70, 7):
        if at >= len(data):
            break
        value |= (data[at] & 127) << shift
        at += 1
        if data[at - 1] < 128:
            return value, at
    return 0, len(data) + 1


def field(number: int, wire_type: int, content: bytes) -> bytes:
    """A field, its length in front of its content if it has one."""
    size = varint(len(content)) if wire_type == 2 else b""
    return varint(number << 3 | wire_type) + size + content


class Mutator:
    """Random changes, the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def log(self, log: bytes, framing: Framing) -> bytes:
        """A log with another record or two, now and then damaged."""
        payloads, tail = records(log, framing)
        if not payloads or self._random.random() < 0.1:
            return self.bytes(log)
        for _ in range(self._random.choice((1, 1, 2, 4))):
            at = self._random.randrange(len(payloads))
            choice = self._random.randrange(12)
            if choice == 0:
                payloads.insert(at, self._random.choice(payloads))
            elif choice == 1 and len(payloads) > 1:
                del payloads[at]
            elif choice == 2:
                payloads[at:at] = [payloads[at]] * self._random.choice((2, 9))
            else:
                payloads[at] = self.message(payloads[at])
        log = b"".join(frame(payload, framing) for payload in payloads) + tail
        choice = self._random.randrange(20)
        if choice == 0:
            log = log[: self._random.randrange(len(log) + 1)]
        elif choice == 1:
            log += bytes(self._random.choice((1, 8, 12, 40)))
        elif choice == 2:
            log = self.bytes(log)
        return log

    def message(self, message: bytes, depth: int = 0) -> bytes:
        """A message with a changed field, in it or in a nested message."""
        found = fields(message)
        if not found or depth > 8:
            return self.bytes(message)
        begin, end, number, wire_type, content = self._random.choice(found)
        before, inner, behind = message[:begin], message[content:end], message[end:]
        if wire_type == 2 and self._random.random() < 0.6:
            return before + field(number, 2, self.message(inner, depth + 1)) + behind
        changes: tuple[Callable[[], bytes], ...] = (
            lambda: b"",
            lambda: message[begin:end] * self._random.choice((2, 3, 40)),
            lambda: field(self._random.randrange(1, 33), wire_type, inner),
            lambda: field(number, self._random.choice((0, 1, 2, 5)), inner),
            lambda: field(number, 0, varint(self._random.choice(NUMBERS))),
            lambda: field(number, 1, struct.pack("<d", self._random.choice(FLOATS))),
            lambda: field(number, 5, struct.pack("<f", self._narrow())),
            lambda: field(number, 2, self._random.choice(STRINGS)),
            lambda: field(number, 2, self.bytes(inner)),
            lambda: varint(number << 3 | 2) + varint(self._random.choice(NUMBERS)) + inner,
            lambda: field(number, 2, message[begin:end]),
        )
        return before + self._random.choice(changes)() + behind

    def _narrow(self) -> float:
        return self._random.choice([number for number in FLOATS if not 1e38 < abs(number) < 1e309])

    def bytes(self, data: bytes) -> bytes:
        """Bytes flipped, overwritten, inserted, repeated or removed."""
        changed = bytearray(data or b"\0")
        for _ in range(self._random.choice((1, 1, 2, 5))):
            at = self._random.randrange(len(changed) or 1)
            size = self._random.choice((1, 2, 4, 8, 30))
            choice = self._random.randrange(6)
            if choice == 0 and changed:
                changed[at] ^= 1 << self._random.randrange(8)
            elif choice == 1 and changed:
                changed[at] = self._random.randrange(256)
            elif choice == 2:
                del changed[at : at + size]
            elif choice == 3:
                changed[at:at] = self._random.randbytes(size)
            elif choice == 4:
                changed[at:at] = changed[at : at + size]
            else:
                changed[at : at + 8] = struct.pack("<Q", self._random.choice(NUMBERS) % (1 << 64))
        return bytes(changed)
