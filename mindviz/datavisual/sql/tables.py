"""SqlTables: the tables of a database, equal in SQLite and PostgreSQL.

Scalars are chunks of encoded columns with their statistics, tensors are rows, and blobs are cut
into chunks. Names and metadata have separate tables. Tags are numbered per run, which keeps keys
small. Every key of values begins with the run, so that tables can be sharded by it.

NULL in a column of numbers means NaN: SQLite cannot store it, and SQL sorts it as the largest.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    DDL,
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    desc,
    event,
    text,
)
from sqlalchemy.types import UserDefinedType

LAYOUT = 4
"""Version of these tables, stored in `layout`."""
ROW_LAYOUT, PLAIN_LAYOUT = 2, 3
"""Had a row per point, and no catalog; `layout_migration` converts both."""

METADATA = MetaData()

_Long = BigInteger().with_variant(Integer, "sqlite")


class _AsGiven(UserDefinedType[Any]):
    """Stores a number as it is; SQLite's REAL turns -0.0 into 0."""

    cache_ok = True

    def get_col_spec(self, **_: Any) -> str:
        """Name of the type in SQL."""
        return "BLOB"


_Exact: Double[float] = Double().with_variant(_AsGiven(), "sqlite")

LAYOUTS = Table("layout", METADATA, Column("layout", Integer, primary_key=True))

EXPERIMENTS = Table(
    "experiments",
    METADATA,
    Column("experiment_id", Integer, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("description", Text, nullable=False, default=""),
    Column("data_location", Text, nullable=False),  # the imported base dir
    Column("creation_time", Double, nullable=False),  # Unix seconds
    Column("version", _Long, nullable=False),  # incremented by every commit
)

RUNS = Table(
    "runs",
    METADATA,
    Column("run_id", Integer, primary_key=True),
    Column("experiment_id", ForeignKey(EXPERIMENTS.c.experiment_id), nullable=False),
    Column("train_id", Text, nullable=False),
    Column("display_name", Text, nullable=False),
    Column("start_time", Double),  # Unix seconds of the first value
    Column("create_time", Double, nullable=False),
    Column("update_time", Double, nullable=False),
    Column("points", _Long, nullable=False),  # scalars, including superseded ones
    Column("is_integrity", Boolean, nullable=False),
    Column("lineage", Text),  # JSON of LineageFacts; NULL if not logged
    Column("assets", Text, nullable=False, default=""),  # fingerprint of files next to the logs
    Column("version", _Long, nullable=False),  # version of the experiment at the run's last commit
    Column("complete", Boolean, nullable=False),  # False: begun by an earlier version
    UniqueConstraint("experiment_id", "train_id"),
    # Of the catalog:
    Column("name_key", LargeBinary),  # the first bytes of `natural_key` of the name, and the rest
    Column("name_rest", LargeBinary),
    Column("formats", Text),  # joined by ", "
    Column("files", Integer),
    Column("lineage_files", Integer),
    Column("bytes", _Long),
    Column("problems", Integer),
    Column("series", Integer),  # tags of all plugins
    Column("session_status", Text),
    Column("dataset", LargeBinary),  # digest of the dataset graph; NULL without lineage
    Column("shape_id", Integer),
    Index("runs_by_creation", "experiment_id", desc("create_time"), "name_key"),
    Index("runs_by_update", "experiment_id", desc("update_time")),
    Index("runs_by_name", "experiment_id", "name_key"),
    Index("runs_by_version", "experiment_id", "version"),
    Index("runs_by_shape", "experiment_id", "shape_id"),
)

SHAPES = Table(
    "shapes",  # what many runs share: which series and fields they have
    METADATA,
    Column("shape_id", Integer, primary_key=True),
    Column("experiment_id", ForeignKey(EXPERIMENTS.c.experiment_id), nullable=False),
    Column("digest", LargeBinary, nullable=False),
    Column("content", Text, nullable=False),  # JSON of `Shape`
    UniqueConstraint("experiment_id", "digest"),
)

FIELDS = Table(
    "fields",  # names of what lists show
    METADATA,
    Column("field_id", Integer, primary_key=True),
    Column("experiment_id", ForeignKey(EXPERIMENTS.c.experiment_id), nullable=False),
    # Names are not unique keys, because PostgreSQL can index at most 2,700 bytes.
    Column("digest", LargeBinary, nullable=False),
    Column("name", LargeBinary, nullable=False),
    UniqueConstraint("experiment_id", "digest"),
)


def _field_keys() -> list[Column[int]]:
    return [
        Column(name, Integer, primary_key=True, autoincrement=False)
        for name in ("run_id", "field_id")
    ]


RUN_FIELDS = Table(
    "run_fields",  # the logged facts of each run, in the types of the page
    METADATA,
    *_field_keys(),
    Column("kind", Integer, nullable=False),  # 0: a number, 1: a text, 2: a flag
    Column("number", Double),  # NULL for NaN
    Column("key", LargeBinary),  # of texts: the first bytes of `natural_key`, and the rest
    Column("rest", LargeBinary),
    Index("run_fields_by_value", "field_id", "kind", "number", "key", "run_id"),
    sqlite_with_rowid=False,
)

RUN_SCALARS = Table(
    "run_scalars",  # the shortest decimals of each scalar series; NULL for NaN
    METADATA,
    *_field_keys(),
    *(Column(name, Double) for name in ("last", "min", "max")),
    Column("metric", Double),  # of an hparams session: the value written last
    *(
        Index(f"run_scalars_by_{name}", "field_id", name, "run_id")
        for name in ("last", "min", "max")
    ),
    Index(
        "run_scalars_by_metric",
        *("field_id", "metric", "run_id"),
        sqlite_where=text("metric IS NOT NULL"),
        postgresql_where=text("metric IS NOT NULL"),
    ),
    sqlite_with_rowid=False,
)

CATALOG = (SHAPES, FIELDS, RUN_FIELDS, RUN_SCALARS)
CATALOG_COLUMNS = (
    *("name_key", "name_rest", "formats", "files", "lineage_files", "bytes", "problems"),
    *("series", "session_status", "dataset", "shape_id"),
)
"""Of `RUNS`."""
KEY_BYTES = 1000
"""Of a sort key in an index: PostgreSQL can index at most 2,700 bytes."""

LOG_FILES = Table(
    "log_files",
    METADATA,
    Column("run_id", ForeignKey(RUNS.c.run_id), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("path", Text, nullable=False),  # relative to the base dir
    Column("format", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("bytes", _Long, nullable=False),
    Column("records", _Long, nullable=False),
    Column("modified", _Long, nullable=False),  # Unix nanoseconds; detects changes
    sqlite_with_rowid=False,
)

FINDINGS = Table(
    "findings",
    METADATA,
    Column("run_id", ForeignKey(RUNS.c.run_id), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("file", Integer),  # position in `log_files`; NULL for the run
    Column("of_value", Boolean, nullable=False),  # found when a value was imported
    Column("kind", Text, nullable=False),
    Column("path", Text, nullable=False),
    Column("offset", _Long),
    Column("detail", Text, nullable=False),
    Column("lost_records", _Long, nullable=False),
    sqlite_with_rowid=False,
)

TAGS = Table(
    "tags",
    METADATA,
    Column("run_id", ForeignKey(RUNS.c.run_id), primary_key=True),
    Column("tag_id", Integer, primary_key=True, autoincrement=False),  # unique within the run
    Column("plugin_name", Text, nullable=False),
    Column("tag", Text, nullable=False),
    Column("writer", Text, nullable=False),
    Column("writer_rank", Integer, nullable=False),  # 0 is the default writer
    Column("data_class", Text, nullable=False),
    Column("stored_as", Text, nullable=False),  # the data class of the table with its values
    Column("is_logged", Boolean, nullable=False),  # False: derived for generic clients
    Column("display_name", Text, nullable=False),
    Column("description", Text, nullable=False),
    Column("plugin_content", LargeBinary, nullable=False),
    Column("imported", _Long, nullable=False),  # values of the log stored or dropped as damaged
    Column("length", _Long, nullable=False),  # steps stored
    Column("max_step", _Long),
    Column("max_wall_time", _Exact),
    Column("max_length", Integer, nullable=False),  # of blob sequences: length of the longest
    Column("epoch", Integer, nullable=False),  # incremented when steps are replaced
    Column("digest", LargeBinary, nullable=False),  # of the imported values
    # Names are not unique keys, because PostgreSQL can index at most 2,700 bytes.
    Index("tags_by_plugin", "plugin_name", "run_id"),
    sqlite_with_rowid=False,
)


def _keys() -> list[Column[int]]:
    return [
        Column(name, Integer, primary_key=True, autoincrement=False)
        for name in ("run_id", "tag_id")
    ]


def _step_keys() -> list[Column[int]]:
    return [*_keys(), Column("step", _Long, primary_key=True, autoincrement=False)]


# With rowids: to compare keys, SQLite would read whole rows, which are longer than its pages.
SCALAR_CHUNKS = Table(
    "scalar_chunks",
    METADATA,
    *_keys(),
    # Points of the series before this chunk; superseded points have a separate table.
    Column("first_rank", _Long, primary_key=True, autoincrement=False),
    Column("length", Integer, nullable=False),
    Column("first_step", _Long, nullable=False),
    Column("last_step", _Long, nullable=False),
    # Of `ScalarAggregate`: NULL for NaN.
    *(Column(name, _Exact) for name in ("min", "max", "first", "last")),
    Column("min_step", _Long, nullable=False),
    Column("max_step", _Long, nullable=False),
    Column("nan_count", Integer, nullable=False),
    Column("data", LargeBinary, nullable=False),  # step, wall time, value
)

SUPERSEDED_CHUNKS = Table(
    "superseded_chunks",
    METADATA,
    *_keys(),
    Column("first_rank", _Long, primary_key=True, autoincrement=False),
    Column("length", Integer, nullable=False),
    Column("data", LargeBinary, nullable=False),  # position as written, step, wall time, value
)

for _table in (SCALAR_CHUNKS, SUPERSEDED_CHUNKS):
    event.listen(
        _table,
        "after_create",
        # PostgreSQL would try to compress it again.
        DDL(  # type: ignore[no-untyped-call]
            f"ALTER TABLE {_table.name} ALTER COLUMN data SET STORAGE EXTERNAL"
        ).execute_if(dialect="postgresql"),
    )

SCALAR_SUMMARIES = Table(
    "scalar_summaries",
    METADATA,
    *_keys(),
    Column("total", _Long, nullable=False),
    *(Column(name, _Exact) for name in ("first", "last", "min", "max")),
    *(
        Column(name, _Long, nullable=False)
        for name in ("first_step", "last_step", "min_step", "max_step", "nan_count")
    ),
    *(Column(name, _Exact) for name in ("first_wall_time", "last_wall_time")),
    Column("increasing", Boolean, nullable=False),
    sqlite_with_rowid=False,
)

TENSORS = Table(
    "tensors",
    METADATA,
    *_step_keys(),
    Column("wall_time", _Exact),
    Column("dtype", Text, nullable=False),
    Column("shape", Text, nullable=False),  # JSON
    Column("data", LargeBinary, nullable=False),  # packed, little-endian
    sqlite_with_rowid=False,
)

BLOB_SEQUENCES = Table(
    "blob_sequences",
    METADATA,
    *_step_keys(),
    Column("index", Integer, primary_key=True, autoincrement=False),  # -1: an empty sequence
    Column("wall_time", _Exact),
    Column("length", _Long, nullable=False),  # bytes
    # The experiment's version when it was written, plus 1; tells a rewritten blob from the one
    # before.
    Column("edition", _Long, nullable=False),
    sqlite_with_rowid=False,
)

DROPPED_VALUES = Table(
    "dropped_values",
    METADATA,
    *_step_keys(),
    Column("wall_time", _Exact),
    Column("reason", Text, nullable=False),  # why it cannot be read, for users
    sqlite_with_rowid=False,
)

BLOB_CHUNKS = Table(
    "blob_chunks",
    METADATA,
    *_step_keys(),
    Column("index", Integer, primary_key=True, autoincrement=False),
    Column("chunk", Integer, primary_key=True, autoincrement=False),
    Column("data", LargeBinary, nullable=False),
)

CHUNK_SIZE = 1024 * 1024
"""Bytes per chunk, except a blob's last. SQLite and PostgreSQL limit a value to 1 GB, and ranges of
a blob are read by chunks."""
