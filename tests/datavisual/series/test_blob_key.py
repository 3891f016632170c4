from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.series.blob_key import BlobAddress
from mindviz.errors import BlobNotFound

INT64S = st.integers(-(1 << 63), (1 << 63) - 1)
TEXTS = st.text(st.characters(codec="utf-8"), max_size=20)
ADDRESSES = st.builds(
    BlobAddress, TEXTS, TEXTS, TEXTS, TEXTS, INT64S, st.integers(0, 99), st.integers(0, 1 << 32)
)
ADDRESS = BlobAddress("first", "./a/b", "images", "x/y", -5, 2, 7)


@given(address=ADDRESSES)
def test_a_key_contains_its_address(address: BlobAddress) -> None:
    key = address.key()
    assert BlobAddress.of(key) == address
    assert key.replace("-", "a").replace("_", "a").isalnum()
    assert key.isascii()


def test_equal_addresses_have_equal_keys_in_every_process() -> None:
    key = "mIHgV5WFC2JbImZpcnN0IiwiLi9hL2IiLCJpbWFnZXMiLCJ4L3kiLC01LDIsN10"
    assert ADDRESS.key() == key


@given(address=ADDRESSES, other=ADDRESSES)
def test_different_addresses_have_different_keys(address: BlobAddress, other: BlobAddress) -> None:
    assert (address == other) == (address.key() == other.key())


@given(key=st.text(max_size=200))
def test_any_text_is_no_key(key: str) -> None:
    with pytest.raises(BlobNotFound, match="no blob with this key"):
        BlobAddress.of(key)


@pytest.mark.parametrize(
    "address",
    [
        replace(ADDRESS, train_id=[]),  # type: ignore[arg-type]
        replace(ADDRESS, tag=None),  # type: ignore[arg-type]
        replace(ADDRESS, step=1 << 63),
        replace(ADDRESS, index=0.5),  # type: ignore[arg-type]
        replace(ADDRESS, edition=True),
    ],
)
def test_a_forged_key_is_invalid(address: BlobAddress) -> None:
    with pytest.raises(BlobNotFound):
        BlobAddress.of(address.key())


def test_a_key_has_one_valid_encoding() -> None:
    key = ADDRESS.key()
    for other in (key + "=", key + "\n", f" {key}", key.swapcase(), key * 1000):
        with pytest.raises(BlobNotFound):
            BlobAddress.of(other)
