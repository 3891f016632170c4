"""LogFile: reads at offsets, recognizes replaced files, and keeps nothing open."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.logs.log_file import LogFile, ReadMark, is_text, is_transient


def open_descriptors(folder: Path) -> list[str]:
    """Files below `folder` that this process has open."""
    targets = [os.path.realpath(link) for link in Path("/dev/fd").iterdir()]
    return [target for target in targets if target.startswith(str(folder))]


def mark_of(path: Path, offset: int) -> ReadMark:
    with LogFile(str(path)).opened() as file:
        return file.mark(offset)


def continues(path: Path, mark: ReadMark) -> bool:
    with LogFile(str(path)).opened() as file:
        return file.continues(mark)


@given(
    content=st.binary(max_size=300),
    reads=st.lists(st.tuples(st.integers(0, 350), st.integers(0, 350)), max_size=20),
)
def test_any_sequence_of_reads_returns_the_bytes_at_its_offsets(
    content: bytes, reads: list[tuple[int, int]]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "log")
        path.write_bytes(content)
        with LogFile(str(path)).opened() as file:
            assert file.status.st_size == len(content)
            for offset, size in reads:
                assert bytes(file.read(offset, size)) == content[offset : offset + size]


def test_a_claimed_length_does_not_decide_how_much_is_allocated(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"0123456789")
    with LogFile(str(path)).opened() as file:
        assert bytes(file.read(4, 1 << 62)) == b"456789"
        assert bytes(file.read(1 << 40, 1 << 62)) == b""


def test_a_short_read_continues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"0123456789")
    real = os.preadv

    def short(descriptor: int, parts: Sequence[memoryview], offset: int) -> int:
        return real(descriptor, [parts[0][:3]], offset)

    monkeypatch.setattr(os, "preadv", short)
    with LogFile(str(path)).opened() as file:
        assert bytes(file.read(0, 8)) == b"01234567"
        assert bytes(file.read(2, 100)) == b"23456789"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (errno.EIO, True),
        (errno.ESTALE, True),
        (errno.EMFILE, True),
        (errno.ENFILE, True),
        (errno.ETIMEDOUT, True),
        (errno.ENOENT, False),
        (errno.ENOTDIR, False),
        (errno.EACCES, False),
        (errno.ELOOP, False),
    ],
)
def test_errors_that_may_end_by_themselves_are_transient(code: int, *, expected: bool) -> None:
    assert is_transient(OSError(code, os.strerror(code))) == expected


def test_a_file_whose_fstat_fails_leaves_no_descriptor_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "log").write_bytes(b"x")

    def failing(descriptor: int) -> os.stat_result:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with monkeypatch.context() as patch:
        patch.setattr(os, "fstat", failing)
        with pytest.raises(OSError, match="Input/output error"):
            LogFile(str(tmp_path / "log")).opened()
    assert open_descriptors(tmp_path) == []


def test_reads_share_one_buffer(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(bytes(1000))
    with LogFile(str(path)).opened() as file:
        first = file.read(0, 800)
        assert file.read(100, 500).obj is first.obj
        assert file.read(900, 800).obj is first.obj


def test_a_file_that_grows_while_it_is_open_is_read_on(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"abc")
    with LogFile(str(path)).opened() as file:
        assert bytes(file.read(0, 10)) == b"abc"
        assert bytes(file.read(3, 10)) == b""
        with path.open("ab") as writer:
            writer.write(b"defghijkl")
        assert bytes(file.read(3, 10)) == b"defghijkl"


def test_buffered_bytes_are_not_read_again(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"as it was first")
    with LogFile(str(path)).opened() as file:
        file.read(0, 15)
        path.write_bytes(b"as it is by now")
        assert bytes(file.read(6, 9)) == b"was first"
        assert bytes(file.read(0, 16)) == b"as it is by now"
        assert bytes(file.read(6, 9)) == b"is by now"


@given(content=st.binary(min_size=1, max_size=200), more=st.binary(max_size=50), data=st.data())
def test_an_appended_file_continues_and_a_rewritten_one_does_not(
    content: bytes, more: bytes, data: st.DataObject
) -> None:
    offset = data.draw(st.integers(0, len(content)))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "log")
        path.write_bytes(content)
        mark = mark_of(path, offset)
        with path.open("ab") as writer:
            writer.write(more)
        assert continues(path, mark)
        watched = [i for i in range(offset) if i < 64 or i >= offset - 16]
        if watched:
            damaged = bytearray(path.read_bytes())
            damaged[data.draw(st.sampled_from(watched))] ^= 0x40
            with path.open("r+b") as writer:
                writer.write(damaged)
            assert not continues(path, mark)
            with path.open("r+b") as writer:
                writer.write(content)
                writer.truncate(offset - 1)
            assert not continues(path, mark)


def set_mtime(path: Path, seconds: int) -> None:
    """As clocks of file systems tick, two writes may have the same time."""
    os.utime(path, (seconds, seconds))


@given(content=st.binary(min_size=1, max_size=200), data=st.data())
def test_a_file_written_without_growing_does_not_continue(
    content: bytes, data: st.DataObject
) -> None:
    offset = data.draw(st.integers(0, len(content)))
    changed = bytearray(content)
    for place in data.draw(st.lists(st.integers(0, offset - 1))) if offset else ():
        changed[place] ^= 0x40
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "log")
        path.write_bytes(content)
        set_mtime(path, 1)
        mark = mark_of(path, offset)
        assert continues(path, mark)
        with path.open("r+b") as writer:
            writer.write(changed)
        set_mtime(path, 2)
        assert not continues(path, mark)


def test_a_file_that_lost_its_unread_rest_does_not_continue(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"read so far, and a cut-off rec")
    mark = mark_of(path, 11)
    os.truncate(path, 20)
    assert not continues(path, mark)


def test_records_in_reserved_zeros_are_not_a_rewrite(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"read so far" + bytes(4096))
    set_mtime(path, 1)
    mark = mark_of(path, 11)
    with path.open("r+b") as writer:
        writer.seek(11)
        writer.write(b"the next record")
    set_mtime(path, 2)
    assert continues(path, mark)


@pytest.mark.parametrize("content", [b"first run ", b"other run "])
def test_another_file_under_the_same_name_is_noticed_even_with_the_same_inode(
    tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"first run " * 10)
    set_mtime(path, 1)
    mark = mark_of(path, 100)
    path.unlink()
    path.write_bytes(content * 10)
    set_mtime(path, 2)
    assert not continues(path, mark)


def test_special_files_are_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path, tmp_path / "missing", Path("/dev/null")):
        with pytest.raises(OSError):
            LogFile(str(path)).opened()
    assert open_descriptors(tmp_path) == []


def test_a_refresh_closes_all_descriptors(tmp_path: Path) -> None:
    files = []
    for number in range(50):
        (tmp_path / f"log{number}").write_bytes(b"x" * 100)
        files.append(LogFile(str(tmp_path / f"log{number}")))
    for log_file in files:
        with log_file.opened() as opened:
            assert open_descriptors(tmp_path) == [log_file.path]
            opened.mark(len(opened.read(0, 256)))
        with pytest.raises(ZeroDivisionError), log_file.opened():
            raise ZeroDivisionError
        assert log_file.head(3) == b"xxx"
    assert open_descriptors(tmp_path) == []


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (b"version https://git-lfs.github.com/spec/v1\n", True),
        (b"<!DOCTYPE html>", True),
        (b"step\tloss\r\n", True),
        (bytes.fromhex("1800000000000000a37f4b22"), False),  # TFRecord of 24 bytes
        (bytes.fromhex("1a000000000000000a18120d"), False),  # VisualDL record of 26 bytes
        (b"", False),
        (b"short", False),  # may become a record's length
    ],
)
def test_text_is_recognized_by_its_first_bytes(head: bytes, *, expected: bool) -> None:
    assert is_text(head) == expected


def head(path: Path, boundary: Path) -> bytes:
    return LogFile(str(path), str(boundary)).head(10)


def test_files_and_links_below_the_boundary_can_be_read(tmp_path: Path) -> None:
    base = tmp_path / "base"
    (base / "run").mkdir(parents=True)
    (base / "run" / "log").write_bytes(b"inside")
    (base / "link").symlink_to("run/log")
    (base / "absolute").symlink_to(base / "run")
    for name in ("run/log", "link", "absolute/log", "run/../link", "run//log"):
        assert LogFile(f"{base}/{name}", str(base)).head(10) == b"inside"


def test_nothing_outside_the_boundary_can_be_read(tmp_path: Path) -> None:
    base, outside = tmp_path / "base", tmp_path / "base2"
    base.mkdir()
    outside.mkdir()
    (outside / "log").write_bytes(b"secret")
    (base / "link").symlink_to(outside / "log")
    (base / "run").symlink_to(outside)
    for path in (base / "link", base / "run" / "log", outside / "log"):
        with pytest.raises(OSError, match="Outside the base dir"):
            head(path, base)
        assert LogFile(str(path)).head(10) == b"secret"


@pytest.mark.parametrize("replaced", ["run", "run/log"])
def test_a_link_that_appears_once_the_path_is_resolved_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, replaced: str
) -> None:
    base, outside = tmp_path / "base", tmp_path / "outside"
    for directory in (base / "run", outside / "run"):
        directory.mkdir(parents=True)
        (directory / "log").write_bytes(directory.parent.name.encode())
    (base / "link").symlink_to("run/log")

    def resolved(path: str) -> str:
        answer = realpath(path)
        (base / replaced).rename(tmp_path / "gone")
        (base / replaced).symlink_to(outside / replaced)
        return answer

    realpath = os.path.realpath
    monkeypatch.setattr(os.path, "realpath", resolved)
    with pytest.raises(OSError, match=r"symbolic links|Not a directory"):
        head(base / "link", base)
    monkeypatch.undo()
    assert open_descriptors(tmp_path) == []
