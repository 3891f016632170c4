"""Cursors: opaque, stateless, and possibly forged."""

from __future__ import annotations

import base64
import contextlib
import zlib

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.backend.cursor import read_cursor, request_checksum, write_cursor
from mindviz.backend.errors import BadArgument
from mindviz.datavisual.series.series_view import Seen

seen_series = st.lists(st.none() | st.tuples(st.text(max_size=20), st.integers(0, 2**63 - 1)))


@given(question=st.integers(0, 2**32 - 1), seen=seen_series)
def test_a_cursor_is_read_as_written(question: int, seen: list[Seen | None]) -> None:
    cursor = write_cursor(question, seen)
    assert read_cursor(cursor, question, len(seen)) == seen
    assert cursor.isascii()
    assert cursor.replace("-", "").replace("_", "").isalnum()


def test_two_hundred_series_fit_into_a_url() -> None:
    seen: list[Seen | None] = [(f"{i * 7919 % 2**32:016x}", 5000 + i) for i in range(200)]
    assert len(write_cursor(1, seen)) < 8000


def test_a_cursor_of_another_request_is_empty() -> None:
    cursor = write_cursor(request_checksum(["./a"]), [("e", 3)])
    assert read_cursor(cursor, request_checksum(["./b"]), 1) == [None]
    assert read_cursor(cursor, request_checksum(["./a"]), 2) == [None, None]


@given(st.text())
def test_invalid_cursors_are_rejected(text: str) -> None:
    with contextlib.suppress(BadArgument):
        assert len(read_cursor(text, 0, 1)) == 1


def forged(content: object) -> str:
    packed = zlib.compress(orjson.dumps(content))
    return base64.urlsafe_b64encode(packed).decode("ascii")


@pytest.mark.parametrize(
    "content",
    [
        None,
        7,
        [1],
        [1, 2, 3],
        [1, 2],
        [1, [2]],
        [1, [["e"]]],
        [1, [[3, 3]]],
        [1, [["e", -1]]],
        [1, [["e", 1.0]]],
        [1, [["e", True]]],
        {"a": 1},
    ],
)
def test_forged_contents_are_rejected(content: object) -> None:
    with pytest.raises(BadArgument):
        read_cursor(forged(content), 1, 1)


def test_decompression_is_bounded() -> None:
    bomb = base64.urlsafe_b64encode(zlib.compress(b" " * 50_000_000)).decode("ascii")
    with pytest.raises(BadArgument):
        read_cursor(bomb, 1, 1)
