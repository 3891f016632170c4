from __future__ import annotations

import math

import pytest

from mindviz.backend.json_text import decode_json


@pytest.mark.parametrize(
    "data",
    [
        b'{"a": "\xc3\xa4"}',
        b'\xef\xbb\xbf{"a": "\xc3\xa4"}',
        '{"a": "\xe4"}'.encode("utf-16"),
        '{"a": "\xe4"}'.encode("utf-16-le"),
        '{"a": "\xe4"}'.encode("utf-32"),
    ],
)
def test_all_unicode_encodings_are_decoded(data: bytes) -> None:
    assert decode_json(data) == {"a": "\xe4"}


def test_numbers_of_pythons_json_are_decoded() -> None:
    found = decode_json(b"[NaN, Infinity, -Infinity]")
    assert math.isnan(found[0])
    assert found[1:] == [math.inf, -math.inf]


@pytest.mark.parametrize("data", [b"", b"{", b"\xff", b"[" * 100_000, b"1" * 5000, b"nan", b"{} x"])
def test_other_text_is_a_value_error(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"."):
        decode_json(data)


def test_lone_surrogates_can_be_rejected() -> None:
    text = rb'{"a": "\ud800"}'
    assert decode_json(text) == {"a": "\ud800"}
    with pytest.raises(ValueError, match="surrogates"):
        decode_json(text, lone_surrogates=False)
