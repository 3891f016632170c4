"""Display of file names, which are bytes."""

from __future__ import annotations

import os
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.logs.directories.discovery import readable

NAMES = st.lists(
    st.sampled_from([b"%", b"25", b"FF", b"ff", b"C3", b"a", b"\xff", b"\xc3", "ü".encode()])
    | st.binary(max_size=4),
    max_size=8,
).map(b"".join)


def as_on_disk(shown: str) -> bytes:
    part = re.compile(r"%25|%[89A-F][0-9A-F]|.", re.DOTALL)
    pieces = part.findall(shown)
    return b"".join(bytes.fromhex(p[1:]) if len(p) == 3 else p.encode() for p in pieces)


@given(NAMES)
def test_shown_names_are_encodable_and_reversible(name: bytes) -> None:
    assert as_on_disk(readable(os.fsdecode(name))) == name


@pytest.mark.parametrize("name", ["run 1", "lr=0.1,wd=5%", "训练/损失", "50%ff", "a\nb", "100%"])
def test_ordinary_names_are_unchanged(name: str) -> None:
    assert readable(name) == name


def test_bytes_that_are_no_utf8_are_shown_as_two_capital_digits() -> None:
    assert readable(os.fsdecode(b"caf\xe9")) == "caf%E9"
    assert readable("caf%E9") == "caf%25E9"
