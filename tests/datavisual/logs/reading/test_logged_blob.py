from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mindviz.datavisual.logs.reading.blob_extents import BlobExtent
from mindviz.datavisual.logs.reading.logged_blob import CHUNK, LoggedBlob, media_type
from mindviz.datavisual.logs.reading.value_reader import ValuePlace
from mindviz.datavisual.series.findings import Finding, FindingKind
from mindviz.errors import DamagedValue
from mindviz.wire import encode_tensorboard as tensorboard
from mindviz.wire.encode import frame
from mindviz.wire.framing import Framing
from tests.written_logs import snapshot_of, write


def logged(directory: Path, blob: bytes) -> tuple[Path, ValuePlace, BlobExtent]:
    """A log whose only value is an image, and its extent."""
    event = tensorboard.event(1.0, 1, [tensorboard.image_v1("i", blob, 1, 1)])
    record = frame(event, Framing.TFRECORD)
    path = write(directory, "tfevents.1", record)
    at = record.index(blob)
    place = ValuePlace(snapshot_of(path), "image", 0, len(record), at - 8, len(blob) + 8)
    return path, place, BlobExtent(at, len(blob))


def ignored(finding: Finding) -> None:
    """For intact blobs."""


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)
@given(start=st.integers(0, 12), stop=st.none() | st.integers(0, 12))
def test_any_stretch_can_be_read(tmp_path: Path, start: int, stop: int | None) -> None:
    _, place, extent = logged(tmp_path, b"0123456789")
    blob = LoggedBlob(place, extent, ignored)
    assert b"".join(blob.chunks(start, stop)) == b"0123456789"[start:stop]


def test_a_large_blob_is_sent_in_pieces(tmp_path: Path) -> None:
    content = bytes(range(256)) * (CHUNK // 100)
    _, place, extent = logged(tmp_path, content)
    blob = LoggedBlob(place, extent, ignored)
    pieces = list(blob.chunks())
    assert len(pieces) == -(-len(content) // CHUNK)
    assert max(map(len, pieces)) == CHUNK
    assert b"".join(pieces) == content
    assert blob.length == len(content)


def test_a_record_that_fails_its_checksum_gives_nothing(tmp_path: Path) -> None:
    path, place, extent = logged(tmp_path, b"0123456789")
    damaged = bytearray(path.read_bytes())
    damaged[extent.offset + 5] ^= 1
    path.write_bytes(damaged)
    findings: list[Finding] = []
    blob = LoggedBlob(place, extent, findings.append)
    with pytest.raises(DamagedValue, match="checksum"):
        blob.chunks(0, 2)
    assert [(finding.kind, finding.offset, finding.lost_records) for finding in findings] == [
        (FindingKind.BAD_VALUE, 0, 1)
    ]


def test_a_log_that_is_gone_or_shorter_is_reported(tmp_path: Path) -> None:
    path, place, extent = logged(tmp_path, b"0123456789")
    findings: list[Finding] = []
    blob = LoggedBlob(place, extent, findings.append)
    path.write_bytes(path.read_bytes()[: extent.offset + 4])
    with pytest.raises(DamagedValue, match="shorter than it was"):
        blob.chunks()
    path.unlink()
    with pytest.raises(DamagedValue, match="could not be read"):
        LoggedBlob(place, extent, findings.append)
    assert len(findings) == 2


def test_blobs_have_etags(tmp_path: Path) -> None:
    _, place, extent = logged(tmp_path, b"0123456789")
    tags = [
        LoggedBlob(place, extent, ignored).etag
        for extent in (
            extent,
            BlobExtent(extent.offset, 3),
            *(BlobExtent(make=blob.__bytes__) for blob in (b"1", b"2")),
        )
    ]
    assert len(set(tags)) == 4
    assert LoggedBlob(place, extent, ignored).etag == tags[0]


def test_derived_blobs_need_no_file(tmp_path: Path) -> None:
    path, place, _ = logged(tmp_path, b"0123456789")
    blob = LoggedBlob(place, BlobExtent(make=b"320".__bytes__), ignored)
    path.unlink()
    assert b"".join(blob.chunks()) == b"320"
    assert b"".join(blob.chunks(1, 2)) == b"2"
    assert list(blob.chunks(3)) == []
    assert blob.content_type == "application/octet-stream"


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (b"RIFF\x04\x00\x00\x00WAVE", "audio/wav"),
        (b"RIFF\x04\x00\x00\x00WEBP", "image/webp"),
        (b"GIF89a", "image/gif"),
        (b"", "application/octet-stream"),
    ],
)
def test_the_first_bytes_determine_the_media_type(head: bytes, expected: str) -> None:
    assert media_type(head) == expected
