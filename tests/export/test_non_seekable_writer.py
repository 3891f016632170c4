from __future__ import annotations

import zipfile

from mindviz.export.non_seekable_writer import NonSeekableWriter


def test_written_bytes_are_taken_once() -> None:
    outbox = NonSeekableWriter()
    assert outbox.write(memoryview(b"ab")) == 2
    outbox.write(bytearray(b"c"))
    assert outbox.take() == b"abc"
    assert outbox.take() == b""


def test_it_keeps_no_view_of_a_buffer_that_is_used_again() -> None:
    outbox, buffer = NonSeekableWriter(), bytearray(b"first")
    outbox.write(buffer)
    buffer[:] = b"other"
    assert outbox.take() == b"first"


def test_libraries_see_that_it_cannot_seek() -> None:
    outbox = NonSeekableWriter()
    with zipfile.ZipFile(outbox, "w") as archive:
        archive.writestr("name", b"content")
        assert outbox.take().startswith(b"PK")
    assert b"name" in outbox.take()
