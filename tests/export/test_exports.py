from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.config import Config
from mindviz.datavisual.logs.log_store import (
    LogStore,
)
from mindviz.datavisual.series.lineage_facts import LineageFacts
from mindviz.datavisual.series.time_series import Histogram, Image, Tensor
from mindviz.errors import InvalidQuery, NothingToExport
from mindviz.export.exports import data_kinds, export_query, open_export
from mindviz.export.output_formats.csv_file import inert_text
from mindviz.lineagemgr.lineage_table import Lineages
from tests.exported_files import (
    column,
    csv_rows,
    exported,
    json_rows,
    npz_arrays,
    npz_texts,
    numbers,
    parquet_rows,
)
from tests.store_fake import START, FakeStore

GOLDEN = Path(__file__).parents[1] / "golden" / "written"


@pytest.fixture
def store() -> FakeStore:
    store = FakeStore()
    for train_id in ("./b", "./a", "./a/deep"):
        job = store.add(train_id)
        for tag in ("train/loss", "test/loss", "lr"):
            job.append(tag, [0, 1, 2], [1.0, 0.5, 0.25])
    return store


def test_everything_is_exported_in_the_order_of_ids_and_tags(store: FakeStore) -> None:
    rows = csv_rows(exported(store, "scalars", "csv"))
    assert list(dict.fromkeys(column(rows, "train_id"))) == ["./a", "./a/deep", "./b"]
    assert list(dict.fromkeys(column(rows, "tag"))) == ["lr", "test/loss", "train/loss"]
    assert len(rows) == 27


@pytest.mark.parametrize(
    ("options", "series"),
    [
        ({"tag": "loss$"}, 6),
        ({"tag": "^train/", "train_id": "deep"}, 1),
        ({"train_id": r"^\./a$"}, 3),
        ({"train_id": "", "tag": ""}, 9),
    ],
)
def test_expressions_match_anywhere(store: FakeStore, options: dict[str, str], series: int) -> None:
    query = export_query("scalars", "csv", **options)  # type: ignore[arg-type]
    assert open_export(store, Lineages(store), query).count == series


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ({"tag": "("}, "tag: .* is no regular expression"),
        ({"train_id": "*"}, "train_id: .* is no regular expression"),
        ({"tag": "x" * 1001}, "at most 1000"),
        ({"output_format": "xlsx"}, "Unknown format 'xlsx'. Formats: csv, json, npz, parquet"),
        ({"what": "sounds"}, "Cannot export 'sounds'. Choose one of scalars"),
        ({"what": "tensors"}, "Cannot export tensors as csv: CSV cannot store tensors"),
        ({"what": "lineage", "output_format": "npz"}, "Cannot export lineage as npz"),
        ({"what": "images", "restarts": "all"}, "applies to scalars only"),
    ],
)
def test_invalid_queries_are_errors(question: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidQuery, match=message):
        export_query(**{"what": "scalars", "output_format": "csv"} | question)


@pytest.mark.parametrize(
    ("what", "options", "message"),
    [
        ("images", {}, "There are no images in 3 runs."),
        ("scalars", {"tag": "x", "train_id": "deep"}, "with a matching tag in 1 run."),
        ("scalars", {"train_id": "x"}, "None of the 3 train_ids match the expression."),
        ("lineage", {"train_id": "x"}, "None of the 3 train_ids"),
    ],
)
def test_an_empty_export_is_an_error(
    store: FakeStore, what: str, options: dict[str, str], message: str
) -> None:
    with pytest.raises(NothingToExport, match=message):
        exported(store, what, "csv", **options)


@pytest.mark.parametrize("what", data_kinds())
def test_a_base_dir_without_jobs_is_an_error(what: str) -> None:
    with pytest.raises(NothingToExport, match="There are no runs"):
        exported(FakeStore(), what, "json")


def test_each_series_is_counted_when_it_is_done(store: FakeStore) -> None:
    query = export_query("scalars", "json", train_id="^./b")
    export = open_export(store, Lineages(store), query)
    done: list[int] = []
    assert list(export.pieces(lambda: done.append(1)))
    assert (export.count, len(done)) == (3, 3)
    assert export.file_name == "scalars.json"


def test_opening_an_export_does_not_search_findings() -> None:
    # A job with many series may have as many; an export needs only its id.
    store = LogStore(Config(GOLDEN, reload_interval=0, inotify=False))
    store.load_once()
    query = export_query("scalars", "json")
    assert open_export(store, Lineages(store), query).count
    snapshots = [job.snapshot for job in store.cache.jobs.values()]
    assert not [one.found.train_id for one in snapshots if "findings" in vars(one)]


def test_pieces_are_neither_tiny_nor_all_at_once(store: FakeStore) -> None:
    job = store.add("./many")
    for i in range(200):
        job.append(f"t{i}", range(100), [0.1] * 100)
    query = export_query("scalars", "csv", train_id="many")
    sizes = [len(piece) for piece in open_export(store, Lineages(store), query).pieces()]
    assert min(sizes[:-1]) >= 1 << 16
    assert max(sizes) < 1 << 17


def test_every_kind_has_an_export_or_a_reason(store: FakeStore) -> None:
    pytest.importorskip("pyarrow")
    job = store.jobs["./a"]
    job.facts = LineageFacts(user_defined={"seed": 1})
    job.add_values("image", "i", [0], [Image(1, 1, (b"x",))])
    job.add_values("histogram", "h", [0], [Histogram(np.array([[0.0, 1.0, 2.0]]))])
    job.add_values("tensor", "t", [0], [Tensor(np.zeros((2, 2)), "DT_FLOAT64")])
    refused = set()
    for what in data_kinds():
        for output_format in ("csv", "json", "npz", "parquet"):
            try:
                assert exported(store, what, output_format)
            except InvalidQuery:
                refused.add((what, output_format))
    assert refused == {("tensors", "csv"), ("lineage", "npz")}


texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)
points = st.lists(
    st.tuples(st.integers(-(2**63), 2**63 - 1), st.floats()),
    min_size=1,
    max_size=5,
    unique_by=lambda point: point[0],
)


@given(series=st.dictionaries(texts, points, min_size=1, max_size=4))
def test_every_format_gives_back_every_point(
    series: dict[str, list[tuple[int, float]]],
) -> None:
    pytest.importorskip("pyarrow")
    store = FakeStore()
    job = store.add("./a")
    expected: list[tuple[str, int, float, float]] = []
    for tag in sorted(series):
        # The fake keeps points after a step that goes back; in order, all are kept.
        ordered = sorted(series[tag])
        job.append(tag, [step for step, _ in ordered], [value for _, value in ordered])
        expected += [(tag, step, START + i, value) for i, (step, value) in enumerate(ordered)]
    for output_format in ("csv", "json", "parquet"):
        file = exported(store, "scalars", output_format)
        read = {"csv": csv_rows, "json": json_rows, "parquet": parquet_rows}[output_format]
        rows: list[Any] = read(file)
        inert = inert_text if output_format == "csv" else str
        assert column(rows, "tag") == [inert(tag) for tag, *_ in expected]
        assert [int(step) for step in column(rows, "step")] == [step for _, step, *_ in expected]
        for name, place in (("wall_time", 2), ("value", 3)):
            np.testing.assert_array_equal(
                numbers(column(rows, name)), [one[place] for one in expected]
            )
    arrays = npz_arrays(exported(store, "scalars", "npz"))
    assert npz_texts(arrays, "tag") == sorted(series)
    every = range(len(series))
    np.testing.assert_array_equal(
        np.concatenate([arrays[f"step_{i}"] for i in every]), [step for _, step, *_ in expected]
    )
    np.testing.assert_array_equal(
        np.concatenate([arrays[f"value_{i}"] for i in every]), [one[3] for one in expected]
    )


def test_formulas_are_computed_over_all_points_of_jobs_that_have_their_tags(
    store: FakeStore,
) -> None:
    store.jobs["./a"].append("extra", [1, 2], [10.0, 20.0])
    query = export_query("scalars", "csv", formulas=["`train/loss` * 2", "extra - lr"])
    export = open_export(store, Lineages(store), query)
    rows = csv_rows(b"".join(export.pieces()))
    assert export.count == 4
    assert [
        (row["train_id"], row["step"], float(row["value"])) for row in rows if "extra" in row["tag"]
    ] == [("./a", "1", 9.5), ("./a", "2", 19.75)]
    doubled = [row for row in rows if row["tag"] == "`train/loss` * 2"]
    assert [float(row["value"]) for row in doubled] == [2.0, 1.0, 0.5] * 3


@pytest.mark.parametrize(
    ("what", "options"),
    [
        ("images", {}),
        ("scalars", {"tag": "loss"}),
        ("scalars", {"restarts": "all"}),
        ("scalars", {"formulas": ["loss +"]}),
    ],
)
def test_formulas_that_cannot_be_exported_are_refused(what: str, options: dict[str, Any]) -> None:
    with pytest.raises(InvalidQuery):
        export_query(what, "csv", **{"formulas": ["lr"], **options})


def test_formulas_without_tags_are_reported(store: FakeStore) -> None:
    query = export_query("scalars", "csv", formulas=["lr + gone"])
    with pytest.raises(NothingToExport, match="for the formulas"):
        open_export(store, Lineages(store), query)
