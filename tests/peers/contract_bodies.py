"""Bodies that only some JSON decoders read."""

from __future__ import annotations

from collections.abc import Iterator

NUMBERS = (b"NaN", b"Infinity", b"-Infinity", b"[NaN, 0.5]")
FIELDS = (b"loss", b"epoch", b"metric/acc", b"user_defined/seed", b"optimizer", b"nothing")


def odd_bodies() -> Iterator[bytes]:
    """Conditions on lineages as Python's json writes NaN and infinities; odd encodings of `{}`."""
    for number in NUMBERS:
        for field in FIELDS:
            for operator in (b"in",) if number.startswith(b"[") else (b"eq", b"lt", b"gt"):
                yield b'{"%s": {"%s": %s}}' % (field, operator, number)
        for name in (b"limit", b"offset", b"sorted_name"):
            yield b'{"%s": %s}' % (name, number)
    yield from (b"NaN", b"[NaN]", b"\xef\xbb\xbf{}", *("{}".encode(f"utf-{n}") for n in (16, 32)))
