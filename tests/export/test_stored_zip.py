from __future__ import annotations

import io
import zipfile
from pathlib import Path
from zlib import crc32

import pytest

from mindviz.export.stored_zip import StoredZip


def archive_of(*entries: tuple[str, bytes]) -> bytes:
    archive = StoredZip()
    pieces = []
    for name, content in entries:
        pieces += [archive.entry(name.encode(), crc32(content), len(content)), content]
    return b"".join([*pieces, *archive.end()])


@pytest.mark.parametrize("count", [0, 1, 3, 70_000])
def test_zipfile_reads_the_archive(count: int) -> None:
    entries = [(f"value_{i}.npy", str(i).encode()) for i in range(count)]
    with zipfile.ZipFile(io.BytesIO(archive_of(*entries))) as archive:
        assert archive.namelist() == [name for name, _ in entries]
        for name, content in entries[-3:]:
            assert archive.read(name) == content
        if count < 100:
            assert archive.testzip() is None


def test_equal_contents_make_equal_archives() -> None:
    entries = [("a", b"1"), ("b", b"")]
    assert archive_of(*entries) == archive_of(*entries)


def test_entries_and_offsets_may_exceed_32_bits(tmp_path: Path) -> None:
    large = 5 << 30
    archive = StoredZip()
    path = tmp_path / "sparse.zip"
    with path.open("wb") as file:
        file.write(archive.entry(b"before", crc32(b"x"), 1) + b"x")
        file.write(archive.entry(b"large", 0, large))
        file.seek(large, io.SEEK_CUR)
        file.write(archive.entry(b"behind", crc32(b"y"), 1) + b"y")
        file.write(archive.entry(b"large too", 0, large))
        file.seek(large, io.SEEK_CUR)
        file.writelines(archive.end())
    with zipfile.ZipFile(path) as found:
        sizes = {one.filename: one.file_size for one in found.infolist()}
        assert sizes == {"before": 1, "large": large, "behind": 1, "large too": large}
        assert found.read("before") == b"x"
        assert found.read("behind") == b"y"
        with found.open("large too") as entry:
            assert entry.read(8) == bytes(8)
