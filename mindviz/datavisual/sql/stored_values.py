"""StoredValues: the tensors or blob sequences of one series in a database, read one at a time."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, select

from mindviz.datavisual.logs.reading.logged_value import logged_blobs, logged_tensor
from mindviz.datavisual.payloads.encoded_image import string_image_size
from mindviz.datavisual.payloads.mesh_message import mesh_config
from mindviz.datavisual.payloads.packed_tensor import unpacked
from mindviz.datavisual.series.columns import Float64s, Int64s
from mindviz.datavisual.series.time_series import DataClass, Value, ValueTimeSeries
from mindviz.datavisual.sql.column_transfer import read_columns
from mindviz.datavisual.sql.database import Database
from mindviz.datavisual.sql.records import SeriesRecord
from mindviz.datavisual.sql.stored_lines import StoredLine
from mindviz.datavisual.sql.tables import (
    BLOB_CHUNKS,
    BLOB_SEQUENCES,
    DROPPED_VALUES,
    TENSORS,
)
from mindviz.errors import DamagedValue

_SIZE_BLOBS = 2
"""Of an image sequence: width and height. The images come behind them."""


class StoredValues:
    """Reads the values of a line; each is a question of its own to the database."""

    def __init__(
        self, database: Database, line: StoredLine, step: Int64s, dropped: Mapping[int, str]
    ) -> None:
        """Value number i is that of `step[i]`; of steps that were `dropped` it is known why."""
        self._database = database
        self._line = line
        self._step = step
        self._dropped = dropped

    def read(self, index: int) -> Value:
        """Value number `index`. Raises DamagedValue, DatabaseUnavailable."""
        line, step = self._line, int(self._step[index])
        if step in self._dropped:
            raise DamagedValue(self._dropped[step])
        with self._database.reading() as connection:
            beside = {
                plugin_name: tensor
                for plugin_name, record in line.companions.items()
                if (tensor := _tensor(connection, line.run_id, record, step)) is not None
            }
            if line.record.stored_as == DataClass.TENSOR:
                tensor = _tensor(connection, line.run_id, line.record, step)
            else:
                blobs = _blobs(connection, line, step)
        if line.record.stored_as != DataClass.TENSOR:
            return logged_blobs(line.record.metadata, blobs, beside)
        if tensor is None:
            raise DamagedValue(_GONE)
        return logged_tensor(line.record.metadata, tensor, beside)

    def read_size(self, index: int) -> tuple[int, int]:
        """Width and height of image number `index`, without the image."""
        with self._database.reading() as connection:
            return string_image_size(
                _blobs(connection, self._line, int(self._step[index]), most=_SIZE_BLOBS)
            )


_GONE = "The value is no longer in the database: its series was imported anew."


def value_series(
    database: Database, connection: Connection, line: StoredLine, writers: tuple[str, ...]
) -> ValueTimeSeries:
    """The series: its steps now, its values when they are asked for."""
    step, wall_time, dropped = _times(connection, line)
    values = StoredValues(database, line, step, dropped)
    series_class = line.series_class
    return ValueTimeSeries(
        data_class=series_class.data_class,
        step=step,
        wall_time=wall_time,
        read=values.read,
        read_size=values.read_size if series_class.plugin_name == "image" else None,
        variety=series_class.variety,
        epoch=line.epoch,
        writers=writers,
        config=mesh_config(line.record.metadata.plugin_content)
        if series_class.plugin_name == "mesh"
        else {},
    )


def _times(connection: Connection, line: StoredLine) -> tuple[Int64s, Float64s, Mapping[int, str]]:
    """Steps and their times; which of them have no value, and why."""
    table = TENSORS if line.record.stored_as == DataClass.TENSOR else BLOB_SEQUENCES
    query = select(table.c.step, table.c.wall_time).where(line.owns(table))
    # The blobs of a sequence share its step and time.
    step, wall_time = read_columns(connection, query.distinct().order_by(table.c.step))
    gone = DROPPED_VALUES
    query_gone = select(gone.c.step, gone.c.wall_time, gone.c.reason).where(line.owns(gone))
    rows = connection.execute(query_gone.order_by(gone.c.step)).all()
    if not rows:
        return step, wall_time, {}
    places = np.searchsorted(step, [row[0] for row in rows])
    times = [math.nan if row[1] is None else row[1] for row in rows]
    return (
        np.insert(step, places, [row[0] for row in rows]),
        np.insert(wall_time, places, times),
        {row[0]: row[2] for row in rows},
    )


def _tensor(
    connection: Connection, run_id: int, record: SeriesRecord, step: int
) -> NDArray[np.generic] | None:
    """None if it is not there."""
    query = select(TENSORS.c.dtype, TENSORS.c.shape, TENSORS.c.data).where(
        TENSORS.c.run_id == run_id, TENSORS.c.tag_id == record.tag_id, TENSORS.c.step == step
    )
    row = connection.execute(query).first()
    return None if row is None else unpacked(*row)


def _blobs(
    connection: Connection, line: StoredLine, step: int, most: int | None = None
) -> list[bytes]:
    """The blobs of one step, or the first few of them. Raises DamagedValue."""
    table = BLOB_SEQUENCES
    query = (
        select(table.c.index, BLOB_CHUNKS.c.data)
        .outerjoin(BLOB_CHUNKS, BLOB_CHUNKS.c.blob_id == table.c.blob_id)
        .where(line.owns(table), table.c.step == step)
        .order_by(table.c.index, BLOB_CHUNKS.c.chunk)
    )
    if most is not None:
        query = query.where(table.c.index < most)
    rows = connection.execute(query).all()
    if not rows:
        raise DamagedValue(_GONE)
    return _joined((index, data) for index, data in rows if index >= 0)


def _joined(chunks: Iterable[tuple[int, bytes | None]]) -> list[bytes]:
    """A blob per index; one without chunks is empty."""
    blobs: dict[int, list[bytes]] = {}
    for index, data in chunks:
        blobs.setdefault(index, []).append(data or b"")
    return [b"".join(parts) for parts in blobs.values()]
