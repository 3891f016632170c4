from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.wire.crc32c import crc32c_function, masked_crc32c

# RFC 3720, appendix B.4.
KNOWN = [
    (bytes(32), 0x8A9136AA),
    (b"\xff" * 32, 0x62A8AB43),
    (bytes(range(32)), 0x46DD794E),
    (bytes(range(31, -1, -1)), 0x113FDB5C),
    (b"", 0),
]


@pytest.mark.parametrize("native", [True, False])
@pytest.mark.parametrize(("data", "expected"), KNOWN)
def test_checksums_match_the_standard(data: bytes, expected: int, *, native: bool) -> None:
    assert crc32c_function(native=native)(data, 0) == expected


def test_the_mask_is_that_of_tfrecord_files() -> None:
    # The length of a 24 byte record and its checksum, as every TensorBoard log begins.
    assert masked_crc32c(bytes.fromhex("1800000000000000")) == 0x224B7FA3


@given(
    data=st.binary(max_size=40).flatmap(
        lambda pattern: st.integers(0, 9000).map(lambda n: (pattern * (n + 1))[:n])
    ),
    cut=st.integers(0, 9000),
    kind=st.sampled_from([bytes, bytearray, memoryview]),
)
def test_native_and_google_agree_on_any_bytes_in_any_pieces(
    data: bytes, cut: int, kind: type[bytes | bytearray | memoryview]
) -> None:
    expected = crc32c_function(native=False)(data, 0)
    crc32c = crc32c_function()
    assert crc32c(kind(data), 0) == expected
    assert crc32c(data[cut:], crc32c(kind(data[:cut]), 0)) == expected


@given(
    data=st.binary(max_size=60).flatmap(
        lambda pattern: st.integers(0, 200).map(lambda times: pattern * times)
    )
)
def test_tables_and_the_instruction_agree(data: bytes) -> None:
    native = pytest.importorskip("mindviz.wire._crc32c")
    try:
        native.use_tables(True)
        by_table = native.crc32c(data)
    finally:
        native.use_tables(False)
    assert native.crc32c(data) == by_table
