"""StoredBlob: one blob in a database, read chunk by chunk."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import select

from mindviz.datavisual.logs.reading.logged_blob import media_type
from mindviz.datavisual.series.generic_series import Blob
from mindviz.datavisual.sql.database import Database
from mindviz.datavisual.sql.tables import BLOB_CHUNKS, CHUNK_SIZE
from mindviz.errors import DamagedValue


class StoredBlob(Blob):
    """A blob whose length is known."""

    def __init__(self, database: Database, blob_id: int, length: int) -> None:
        """Reads its first bytes. Raises DamagedValue, DatabaseUnavailable."""
        self._database = database
        self._blob_id = blob_id
        self.length = length
        # What an id stands for never changes.
        self.etag = f"{blob_id:x}-{length:x}"
        self.content_type = media_type(b"".join(self.chunks(0, 64)))

    def chunks(self, start: int = 0, stop: int | None = None) -> Iterator[bytes]:
        """As `Blob`; raises DatabaseUnavailable, too."""
        end = self.length if stop is None else min(stop, self.length)
        while start < end:
            number, offset = divmod(start, CHUNK_SIZE)
            data = self._chunk(number)[offset : offset + end - start]
            if not data:
                raise DamagedValue("Part of a blob is gone from the database.")
            yield data
            start += len(data)

    def _chunk(self, number: int) -> bytes:
        # A connection per chunk: a slow client must not keep one.
        query = select(BLOB_CHUNKS.c.data).where(
            BLOB_CHUNKS.c.blob_id == self._blob_id, BLOB_CHUNKS.c.chunk == number
        )
        with self._database.reading() as connection:
            return connection.execute(query).scalar() or b""
