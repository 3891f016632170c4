"""LoggedBlob: one blob of a log file, streamed from where it lies; and one that is made up."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from hashlib import blake2b

from mindviz.datavisual.logs.log_file import OpenLogFile
from mindviz.datavisual.logs.reading.blob_extents import BlobExtent
from mindviz.datavisual.logs.reading.value_reader import ValuePlace, unreadable
from mindviz.datavisual.payloads.encoded_image import mimetype
from mindviz.datavisual.series.findings import Finding, FindingKind
from mindviz.datavisual.series.generic_series import Blob
from mindviz.errors import DamagedValue
from mindviz.wire.crc32c import crc32c_function, masked
from mindviz.wire.framing import FOOTER_SIZE, HEADER_SIZE, Framing

CHUNK = 1024 * 1024
"""Bytes."""
_SNIFFED = 16


def media_type(head: bytes) -> str:
    """The media type of what begins so; `application/octet-stream` if it is none we know."""
    if head.startswith(b"RIFF") and head[8:12] == b"WAVE":
        return "audio/wav"
    return mimetype(head)


class LoggedBlob(Blob):
    """A part of a value. Only its first bytes are read until `chunks` is called."""

    def __init__(
        self, place: ValuePlace, extent: BlobExtent, report: Callable[[Finding], None]
    ) -> None:
        """Raises LogUnreadable; DamagedValue if a value that this is made of is damaged."""
        self._place = place
        self._extent = extent
        self._report = report
        self._made = None if extent.make is None else extent.make()
        self.length = extent.length if self._made is None else len(self._made)
        self.etag = self._digest()
        self.content_type = media_type(b"".join(self._read(0, min(_SNIFFED, self.length))))

    def _digest(self) -> str:
        file, extent = self._place.file, self._extent
        digest = blake2b(file.fingerprint.encode(), digest_size=12)
        # A file that is one value may be rewritten, a log only grows.
        written = 0 if file.found.kind.schema else file.found.identity.mtime_ns
        place = (written, self._place.record_offset, extent.offset, self.length)
        digest.update(repr(place).encode() + (self._made or b""))
        return digest.hexdigest()

    def chunks(self, start: int = 0, stop: int | None = None) -> Iterator[bytes]:
        """The checksum of the whole record is verified before the first of them."""
        end = self.length if stop is None else min(stop, self.length)
        if self._made is None:
            self._verified  # noqa: B018 - raises
        return self._read(max(0, start), end)

    @cached_property
    def _verified(self) -> bool:
        """Raises DamagedValue."""
        place = self._place
        schema = place.file.found.kind.schema
        if schema is None or schema.framing is not Framing.TFRECORD:
            return True
        crc = 0
        extend = crc32c_function()
        begin = place.record_offset + HEADER_SIZE
        end = place.record_offset + place.record_length - FOOTER_SIZE
        footer = b"".join(self._pieces(end, end + FOOTER_SIZE))
        for piece in self._pieces(begin, end):
            crc = extend(piece, crc)
        if masked(crc) != int.from_bytes(footer, "little"):
            raise self._damaged("The record fails its checksum.")
        return True

    def _read(self, start: int, end: int) -> Iterator[bytes]:
        if self._made is not None:
            return iter((self._made[start:end],)) if end > start else iter(())
        return self._pieces(self._extent.offset + start, self._extent.offset + end)

    def _pieces(self, start: int, end: int) -> Iterator[bytes]:
        """The file's bytes. Raises DamagedValue, LogUnreadable."""
        if end <= start:
            return
        try:
            with self._place.opened() as file:
                yield from self._pieces_of(file, start, end)
        except OSError as error:
            problem = unreadable(self._place.file, error)
            if isinstance(problem, DamagedValue):
                raise self._damaged(str(problem)) from error
            raise problem from error

    def _pieces_of(self, file: OpenLogFile, start: int, end: int) -> Iterator[bytes]:
        for offset in range(start, end, CHUNK):
            wanted = min(CHUNK, end - offset)
            piece = bytes(file.read(offset, wanted))
            if len(piece) < wanted:
                path = self._place.file.found.relative_path
                raise self._damaged(f"{path} is shorter than it was.")
            yield piece

    def _damaged(self, detail: str) -> DamagedValue:
        self._report(self._place.finding(FindingKind.BAD_VALUE, detail))
        return DamagedValue(detail)
