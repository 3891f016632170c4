from __future__ import annotations

import importlib.util
import io
import json
import math
import subprocess
import sys
import zipfile
from typing import Any

import numpy as np
import pytest

from mindviz.errors import ExtraNotInstalled
from mindviz.export.output_formats import parquet_file
from mindviz.export.output_formats.parquet_file import FORMAT, NonSeekableWriter
from mindviz.export.table import Column, Kind
from tests.exported_files import column, parquet_rows, table, written

A, B = ("./a", "t", ""), ("./b", "t", "w")
STEP = Column("step", Kind.INTEGER)


def test_without_pyarrow_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ExtraNotInstalled, match=r"pip install 'mindviz\[export\]'"):
        FORMAT.check()


def test_with_pyarrow_there_is_no_error() -> None:
    pytest.importorskip("pyarrow")
    FORMAT.check()


def test_rows_have_the_columns_of_their_series() -> None:
    pytest.importorskip("pyarrow")
    columns = [STEP, Column("value", Kind.NUMBER)]
    one, two = ([np.array([i]), np.array([value])] for i, value in ((2**62, np.nan), (-1, -np.inf)))
    rows = parquet_rows(written(FORMAT, table(columns, (A, one), (B, two))))
    assert column(rows, "train_id") == ["./a", "./b"]
    assert column(rows, "writer") == ["", "w"]
    assert column(rows, "step") == [2**62, -1]
    assert math.isnan(rows[0]["value"])
    assert rows[1]["value"] == -math.inf


WRITE = """
import json, sys
import numpy as np
from mindviz.export.output_formats.parquet_file import FORMAT, NonSeekableWriter
from mindviz.export.table import Column, Kind, Rows, Table

columns = Column("step", Kind.INTEGER), Column("value", Kind.NUMBER), Column("flag", Kind.FLAG)
cells = np.arange(3), np.arange(3.0), np.array([True, False, True])
names = ("train_id", "tag", "writer")
rows = iter([Rows(("./a", "t", ""), cells)])
assert b"".join(FORMAT.write(Table("scalars", names, columns, rows)))
print(json.dumps(list(sys.modules)))
"""


def test_numbers_are_written_without_pandas() -> None:
    # pyarrow's own conversions import it if installed, which takes 0.3 s.
    pytest.importorskip("pyarrow")
    pytest.importorskip("pandas")
    output = subprocess.run([sys.executable, "-c", WRITE], capture_output=True, check=True).stdout
    assert "pandas" not in json.loads(output)


def test_flags_of_many_series_keep_their_places() -> None:
    pytest.importorskip("pyarrow")
    flags = [np.arange(length) % 3 == 0 for length in (1, 9, 8, 30)]
    series = [((f"./{i}", "t", ""), [column]) for i, column in enumerate(flags)]
    rows = parquet_rows(written(FORMAT, table([Column("flag", Kind.FLAG)], *series)))
    assert column(rows, "flag") == np.concatenate(flags).tolist()
    assert column(rows, "train_id") == [f"./{i}" for i, one in enumerate(flags) for _ in one]


def test_every_kind_of_cell_is_kept_and_none_is_null() -> None:
    pytest.importorskip("pyarrow")
    array = np.arange(6, dtype=">i2").reshape(2, 3)
    cells: dict[Kind, Any] = {
        Kind.INTEGER: 1,
        Kind.NUMBER: 0.5,
        Kind.FLAG: True,
        Kind.TEXT: "\N{SNOWMAN}",
        Kind.INTEGERS: np.array([1, 2]),
        Kind.NUMBERS: np.array([0.5, np.nan]),
        Kind.ARRAY: array,
        Kind.BYTES: b"\x00\xff",
        Kind.JSON: {"a": float("nan")},
    }
    assert set(cells) == set(Kind)
    columns = [Column(kind.value, kind) for kind in cells]
    file = written(FORMAT, table(columns, (A, [[cell, None] for cell in cells.values()])))
    first, second = parquet_rows(file)
    assert first["integers"] == [1, 2]
    assert math.isnan(first["numbers"][1])
    decoded = np.frombuffer(first["array"], "<i2").reshape(2, 3)
    np.testing.assert_array_equal(decoded, array)
    assert (first["bytes"], first["flag"], first["text"]) == (b"\x00\xff", True, "\N{SNOWMAN}")
    assert json.loads(first["json"]) == {"a": "NaN"}
    assert {second[kind.value] for kind in Kind} == {None}


def test_small_series_share_a_row_group_and_large_ones_are_split(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pq = pytest.importorskip("pyarrow.parquet")
    monkeypatch.setattr(parquet_file, "GROUP_ROWS", 10)
    monkeypatch.setattr(parquet_file, "BATCH_ROWS", 10)
    pieces = [((f"./{i}", "t", ""), [np.arange(4)]) for i in range(6)]
    file = written(FORMAT, table([STEP], *pieces))
    read = pq.ParquetFile(io.BytesIO(file))
    assert read.metadata.num_rows == 24
    assert read.metadata.num_row_groups == 2


def test_a_table_without_rows_has_a_schema() -> None:
    pq = pytest.importorskip("pyarrow.parquet")
    read = pq.read_table(io.BytesIO(written(FORMAT, table([STEP]))))
    assert read.schema.names == ["train_id", "tag", "writer", "step"]
    assert json.loads(read.schema.metadata[b"mindviz"])["what"] == "scalars"


def test_names_are_repeated_for_few_rows_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyarrow")
    monkeypatch.setattr(parquet_file, "GROUP_BYTES", 10_000)
    cells = [np.arange(100)]
    long = ("./a", "t" * 1_000, "")
    file = written(FORMAT, table([STEP], (long, cells), (A, cells)))
    rows = parquet_rows(file)
    assert column(rows, "step") == [*range(100)] * 2
    assert column(rows, "tag") == [long[1]] * 100 + ["t"] * 100


def test_many_small_series_share_a_record_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    pa = pytest.importorskip("pyarrow")
    made = []
    make = pa.array

    def counted(*args: Any, **options: Any) -> Any:
        made.append(args)
        return make(*args, **options)

    monkeypatch.setattr(pa, "array", counted)
    pieces: list[Any] = [((f"./{i}", "t", ""), [np.arange(i % 3 + 1)]) for i in range(300)]
    pieces.insert(150, (B, [[7, None]]))
    rows = parquet_rows(written(FORMAT, table([STEP], *pieces)))
    assert len(made) < 30
    expected = [(name[0], step) for name, (steps,) in pieces for step in steps]
    assert [(row["train_id"], row["step"]) for row in rows] == expected


def test_written_bytes_are_taken_once() -> None:
    writer = NonSeekableWriter()
    assert writer.write(memoryview(b"ab")) == 2
    writer.write(bytearray(b"c"))
    assert writer.take() == b"abc"
    assert writer.take() == b""


def test_it_keeps_no_view_of_a_buffer_that_is_used_again() -> None:
    writer, buffer = NonSeekableWriter(), bytearray(b"first")
    writer.write(buffer)
    buffer[:] = b"other"
    assert writer.take() == b"first"


def test_libraries_see_that_it_cannot_seek() -> None:
    writer = NonSeekableWriter()
    with zipfile.ZipFile(writer, "w") as archive:
        archive.writestr("name", b"content")
        assert writer.take().startswith(b"PK")
    assert b"name" in writer.take()
