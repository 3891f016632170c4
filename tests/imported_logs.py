"""Imports logs for tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from mindviz.datavisual.sql.database import Database
from mindviz.datavisual.sql.importer import Importer, ImportOptions, ImportProgress
from mindviz.wire import encode_tensorboard as tensorboard
from mindviz.wire.encode import frames
from mindviz.wire.framing import Framing
from tests.proto.tensorboard_pb2 import DATA_CLASS_BLOB_SEQUENCE
from tests.written_logs import tensorboard_log, write


def imported(
    database: Database, base_dir: Path | str, experiment: str = "e", **options: Any
) -> ImportProgress:
    """Import everything below a base dir."""
    importer = Importer(database, ImportOptions(base_dir, experiment, **options))
    importer.run()
    return importer.progress


def write_large_jobs(base_dir: Path, jobs: int, points: int) -> None:
    """Jobs of 2 MiB each, so that their import takes several commits."""
    text = tensorboard.strings_tensor("note", [b"x" * (2 << 20)], (1,), plugin_name="text")
    note = frames([tensorboard.event(1.0, 1, [text])], Framing.TFRECORD)
    log = tensorboard_log([(step, float(step)) for step in range(points)]) + note
    for job in range(jobs):
        write(base_dir / str(job), "tfevents.1", log)


def note(step: int) -> bytes:
    """A record of a blob sequence: one text of 5 kB."""
    text = tensorboard.strings_tensor(
        "note", [b"%04d" % step * 1250], (1,), plugin_name="p", data_class=DATA_CLASS_BLOB_SEQUENCE
    )
    return frames([tensorboard.event(1_000.0 + step, step, [text])], Framing.TFRECORD)
