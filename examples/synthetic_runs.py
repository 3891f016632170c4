"""Fills a database with synthetic runs, to try lists of many: a million takes minutes.

    python examples/synthetic_runs.py --db URL [--runs N] [--experiment NAME]

Four runs, one per optimizer, are written as logs and imported. SQL copies them: their rows in the
tables of runs, log files, series and in the catalog that lists are read from. Five copies that
follow each other are a configuration: they differ in the seed only. Their points are those of the
imported run; only what lists show of metrics differs. The database must not have the experiment
yet.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import Table, text

from mindviz.datavisual.series.value_order import natural_key
from mindviz.datavisual.sql.database import Database
from mindviz.datavisual.sql.importer import Importer, ImportOptions
from mindviz.datavisual.sql.tables import METADATA
from mindviz.summary import SummaryRecord

EXPERIMENT = "synthetic"
OPTIMIZERS = ("adam", "sgd", "adamw", "lion")
TAGS = (
    *("train/loss", "train/accuracy", "train/grad_norm", "train/examples_per_second"),
    *("val/loss", "val/accuracy", "val/precision", "val/recall", "val/f1", "val/perplexity"),
)
SEEDS = 5
_STEPS = 10
_STARTED = 1_700_000_000.0
_RATE, _BATCH, _SEED = 0.5, 12_345, 54_321
"""The hyperparameters of the imported runs, which copies replace."""

_NAME = "'sweep' || (i / 1000) || '/run' || i"
_NUMBERS = {
    _BATCH: f"CAST(16 + 16 * (i / {SEEDS} % 7) AS text)",
    _SEED: f"CAST(i % {SEEDS} AS text)",
    _RATE: f"'0.' || (100000 + i / {SEEDS})",  # last, because it may contain the others
}
_CHANGE = "i * 37 % 1009 * 0.001"
"""Of the last value of each series."""


def _replaced(column: str) -> str:
    for number, digits in _NUMBERS.items():
        column = f"replace({column}, '{number}', {digits})"
    return column


_CASES = " ".join(f"WHEN {number} THEN CAST({text} AS float)" for number, text in _NUMBERS.items())
_COPIED: tuple[tuple[str, dict[str, str]], ...] = (
    (
        "runs",
        {
            "train_id": f"'./' || {_NAME}",
            "lineage": _replaced("lineage"),
            "create_time": "create_time + i",
            "update_time": "update_time + i",
            # Readers look for runs of later versions than theirs.
            "version": "(SELECT version + 1 FROM experiments ORDER BY experiment_id DESC LIMIT 1)",
        },
    ),
    ("log_files", {}),
    ("tags", {}),
    ("scalar_summaries", {"last": f"last + {_CHANGE}"}),
    ("scalar_chunks", {}),
    ("run_fields", {"number": f"CASE number {_CASES} ELSE number END"}),
    ("run_scalars", {"last": f"last + {_CHANGE}"}),
)
"""Tables, and how the columns of copy `i` are computed."""
_LISTED = ("runs", "run_fields", "run_scalars")
"""Tables that lists are read from."""


def fill(database: Database, runs: int, experiment: str = EXPERIMENT) -> None:
    """Store this many runs, at least four."""
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder)
        for number, optimizer in enumerate(OPTIMIZERS):
            write_run(base / optimizer, optimizer, number)
        Importer(database, ImportOptions(base, experiment)).run()
    numbers = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < :runs) "
    if not database.is_sqlite:
        numbers = "WITH n AS (SELECT generate_series(0, :runs - 1) AS i) "
    with database.writing() as connection:
        ours = "FROM runs WHERE experiment_id = (SELECT max(experiment_id) FROM experiments)"
        first = connection.execute(text(f"SELECT min(run_id) {ours}")).scalar_one()
        end = connection.execute(text("SELECT max(run_id) + 1 FROM runs")).scalar_one()
        tables = [METADATA.tables[name] for name, _ in _COPIED]
        indexes = [index for table in tables for index in table.indexes]
        references = () if database.is_sqlite else _references(tables)
        for index in indexes:  # faster than with each row
            index.drop(connection)
        for name, column, _ in references:
            constraint = f"{name}_{column}_fkey"
            connection.execute(text(f"ALTER TABLE {name} DROP CONSTRAINT {constraint}"))
        for table, (_, changed) in zip(tables, _COPIED, strict=True):
            changes = {
                "run_id": f"{end} + i",
                "name_key": _key_of_name(is_sqlite=database.is_sqlite),
                **changed,
            }
            names = [column.name for column in table.c]
            columns = ", ".join(f'"{name}"' for name in names)
            cells = ", ".join(changes.get(name) or f'"{name}"' for name in names)
            template = f"run_id = {first} + i / {SEEDS} % {len(OPTIMIZERS)}"
            connection.execute(
                text(
                    f"INSERT INTO {table.name} ({columns}) {numbers}"
                    f"SELECT {cells} FROM n JOIN {table.name} ON {template}"
                ),
                {"runs": runs - len(OPTIMIZERS)},
            )
        for index in indexes:
            index.create(connection)
        for name, column, target in references:
            key = f"FOREIGN KEY ({column}) REFERENCES {target}"
            connection.execute(text(f"ALTER TABLE {name} ADD {key}"))
        connection.execute(text("UPDATE experiments SET version = version + 1"))
        if not database.is_sqlite:  # else the next runs would get the same keys
            sequence = "pg_get_serial_sequence('runs', 'run_id')"
            connection.execute(text(f"SELECT setval({sequence}, max(run_id)) FROM runs"))
    database.create()
    with database.writing() as connection:
        connection.execute(text("ANALYZE"))
    if not database.is_sqlite:
        with database.reading() as connection:
            # As the server does minutes after an import; lists are read from indexes alone then.
            connection.rollback()
            raw: Any = connection.connection.dbapi_connection
            raw.autocommit = True
            raw.execute(f"VACUUM {', '.join(_LISTED)}")
            raw.autocommit = False


def _references(tables: Sequence[Table]) -> list[tuple[str, str, str]]:
    """Table, column and referenced table of each foreign key."""
    return [
        (table.name, key.parent.name, key.column.table.name)
        for table in tables
        for key in table.foreign_keys
    ]


def write_run(directory: Path, optimizer: str, number: int) -> None:
    """Write a run as logs; its values depend on the number."""
    times = iter(range(1_000_000))
    with SummaryRecord(
        directory, raise_exception=True, rank=0, clock=lambda: _STARTED + next(times)
    ) as record:
        config = {"lr": _RATE, "batch_size": _BATCH, "seed": _SEED, "optimizer": optimizer}
        record.add_value("custom_lineage_data", "config", config)
        for step in range(_STEPS):
            for place, tag in enumerate(TAGS):
                record.add_value("scalar", tag, number + place + 1 / (1 + step))
            record.record(step)


def _key_of_name(*, is_sqlite: bool) -> str:
    """`natural_key` of the names, in SQL."""
    character = "char" if is_sqlite else "chr"
    slash = f"{character}({ord(natural_key('/')[:1])})"
    weights = f"'sweep' || {_digits('(i / 1000)', character)} || {slash} || 'run' || "
    weights += _digits("i", character)
    if is_sqlite:
        return f"CAST({weights} || char(0) || {_NAME} AS BLOB)"
    return f"convert_to({weights}, 'UTF8') || '\\x00'::bytea || convert_to({_NAME}, 'UTF8')"


def _digits(number: str, character: str) -> str:
    digits = f"CAST({number} AS text)"
    counted = f"'0' || {character}(48 + length({digits})) || {digits}"
    return f"(CASE {number} WHEN 0 THEN '00' ELSE {counted} END)"


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--db", required=True, help="sqlite:///PATH or postgresql://...")
    parser.add_argument("--runs", type=int, default=1_000_000)
    parser.add_argument("--experiment", default=EXPERIMENT)
    options = parser.parse_args()
    database = Database(options.db)
    database.create()
    began = time.monotonic()
    fill(database, options.runs, options.experiment)
    database.close()
    print(f"{options.runs:,} synthetic runs in {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
