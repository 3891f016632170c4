from __future__ import annotations

import numpy as np
import pytest

from mindviz.export.output_formats import npz_file
from mindviz.export.output_formats.npz_file import FORMAT
from mindviz.export.table import Column, Kind
from tests.exported_files import npz_arrays, npz_texts, table, written

A, B = ("./a", "loss/\u635f\u5931", ""), ("./b", "", "w")
STEP = Column("step", Kind.INTEGER)


def test_series_are_numbered_and_have_an_array_per_column() -> None:
    columns = [STEP, Column("value", Kind.NUMBER)]
    pieces = [[np.array([i, i + 1]), np.array([i / 2, np.nan])] for i in (0, 2, 7)]
    arrays = npz_arrays(
        written(FORMAT, table(columns, (A, pieces[0]), (A, pieces[1]), (B, pieces[2])))
    )
    assert npz_texts(arrays, "train_id") == ["./a", "./b"]
    assert npz_texts(arrays, "tag") == ["loss/\u635f\u5931", ""]
    assert npz_texts(arrays, "writer") == ["", "w"]
    assert arrays["step_0"].tolist() == [0, 1, 2, 3]
    np.testing.assert_array_equal(arrays["value_1"], [3.5, np.nan])
    assert arrays["step_0"].dtype == np.int64


def test_an_archive_without_series_can_be_read() -> None:
    arrays = npz_arrays(written(FORMAT, table([STEP])))
    assert npz_texts(arrays, "train_id") == []


def test_lists_are_concatenated() -> None:
    cells = [[np.array([0.5, 1.0]), None, np.empty(0), np.array([2.0])]]
    arrays = npz_arrays(written(FORMAT, table([Column("left", Kind.NUMBERS)], (A, cells))))
    assert arrays["left_0"].tolist() == [0.5, 1.0, 2.0]
    assert arrays["left_offsets_0"].tolist() == [0, 2, 2, 2, 3]


def test_arrays_and_bytes_have_an_entry_per_row() -> None:
    array = np.arange(6, dtype=np.int8).reshape(2, 3)
    columns = [STEP, Column("data", Kind.ARRAY), Column("encoded", Kind.BYTES)]
    first: list[list[object]] = [[1, 2], [array, None], [b"ab", None]]
    second: list[list[object]] = [[3], [np.array(["oak"])], [b""]]
    arrays = npz_arrays(written(FORMAT, table(columns, (A, first), (A, second))))
    np.testing.assert_array_equal(arrays["data_0_0"], array)
    assert arrays["data_0_0"].dtype == np.int8
    assert arrays["data_0_2"].tolist() == ["oak"]
    assert arrays["encoded_0_0"].tobytes() == b"ab"
    assert "data_0_1" not in arrays
    assert "encoded_0_1" not in arrays
    assert arrays["step_0"].tolist() == [1, 2, 3]


def test_missing_cells_have_a_value_of_their_type() -> None:
    columns = [
        Column("width", Kind.INTEGER),
        Column("value", Kind.NUMBER),
        Column("problem", Kind.TEXT),
    ]
    cells = [[3, None], [0.5, None], [None, "It is damaged."]]
    arrays = npz_arrays(written(FORMAT, table(columns, (A, cells))))
    assert arrays["width_0"].tolist() == [3, -1]
    np.testing.assert_array_equal(arrays["value_0"], [0.5, np.nan])
    assert npz_texts(arrays, "problem", "_0") == ["", "It is damaged."]


@pytest.mark.parametrize(
    "array",
    [
        np.asfortranarray(np.arange(12.0).reshape(3, 4)),
        np.arange(10)[::2],
        np.broadcast_to(np.float32(1), (3, 2)),
        np.array(7, ">i4"),
        np.empty((0, 2)),
        np.array([1 + 2j]),
    ],
    ids=["fortran", "strided", "broadcast", "zero-dimensional", "empty", "complex"],
)
def test_any_array_is_read_as_it_was(
    array: np.ndarray[tuple[int, ...], np.dtype[np.generic]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(npz_file, "PIECE", 16)
    arrays = npz_arrays(written(FORMAT, table([Column("data", Kind.ARRAY)], (A, [[array]]))))
    np.testing.assert_array_equal(arrays["data_0_0"], array)
    assert arrays["data_0_0"].dtype == array.dtype
    assert arrays["data_0_0"].shape == array.shape


def test_a_large_array_is_written_in_pieces() -> None:
    array = np.zeros(4 << 20, np.uint8)
    pieces = list(FORMAT.write(table([Column("data", Kind.ARRAY)], (A, [[array]]))))
    assert max(map(len, pieces)) < 2 << 20


def test_a_long_text_does_not_widen_other_cells() -> None:
    columns = [STEP, Column("problem", Kind.TEXT)]
    series = [
        ((f"./{i}", "t" * (60_000 if i == 7 else 1), ""), [[1], ["p" * (i == 7) * 60_000]])
        for i in range(100)
    ]
    file = written(FORMAT, table(columns, *series))
    arrays = npz_arrays(file)
    assert npz_texts(arrays, "tag") == [name[1] for name, _ in series]
    assert npz_texts(arrays, "problem", "_7") == ["p" * 60_000]
    nbytes = sum(array.nbytes for array in arrays.values())
    assert nbytes < 130_000


def test_a_small_array_is_one_piece() -> None:
    series = [((f"./{i}", "t", ""), [np.array([i])]) for i in range(100)]
    pieces = list(FORMAT.write(table([STEP], *series)))
    names, directory = 6, 2
    assert len(pieces) <= 100 + names + directory
    arrays = npz_arrays(b"".join(pieces))
    assert [arrays[f"step_{i}"].tolist() for i in range(100)] == [[i] for i in range(100)]
