from __future__ import annotations

import json
from typing import Any

import pytest

from mindviz.datavisual.series.lineage_facts import (
    EvaluationFacts,
    LineageFacts,
    TrainFacts,
)
from mindviz.errors import AnswerTooLarge
from mindviz.export.lineage_rows import ANNOTATION_COLUMNS
from mindviz.lineagemgr import lineage_table
from mindviz.lineagemgr.annotation import ANNOTATION_FIELDS, Annotation
from mindviz.lineagemgr.lineage_table import SCALAR_STATISTICS
from tests.exported_files import column, csv_rows, exported, json_rows, parquet_rows
from tests.function_calls import calls_of
from tests.store_fake import FakeStore


@pytest.fixture
def store() -> FakeStore:
    store = FakeStore()
    one, two, three = (store.add(f"./{name}") for name in ("one", "two", "three"))
    one.facts = LineageFacts(
        train=TrainFacts(network="LeNet5", epoch=3, learning_rate=0.1, loss=float("nan")),
        evaluation=EvaluationFacts(metric={"acc": 0.5}),
        dataset_graph={"op_type": "Batch", "children": []},
        user_defined={"seed": 1, "mixed": "a", "huge": 2**63, "flag": True},
    )
    two.facts = LineageFacts(user_defined={"seed": 2.5, "mixed": 1, "flag": False})
    three.append("loss", [0, 5, 9], [3.0, 1.0, 2.0])
    one.append("loss", [0], [7.0])
    one.append("lr", [0], [0.1])
    return store


def by_id(rows: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {row["train_id"]: row for row in rows}


def test_every_job_is_a_row_and_everything_logged_a_column(store: FakeStore) -> None:
    rows = by_id(json_rows(exported(store, "lineage", "json")))
    assert list(rows) == ["./one", "./three", "./two"]
    one = rows["./one"]
    assert (one["network"], one["epoch"], one["loss"]) == ("LeNet5", 3, "NaN")
    assert one["metric/acc"] == 0.5
    assert one["dataset_graph"] == {"op_type": "Batch", "children": []}
    assert [row["has_lineage"] for row in rows.values()] == [True, False, True]
    assert rows["./two"]["metric/acc"] is None


def test_requested_scalars_are_columns(store: FakeStore) -> None:
    assert not [
        name for name in json_rows(exported(store, "lineage", "json"))[0] if "lr" in name.split("/")
    ]
    rows = by_id(json_rows(exported(store, "lineage", "json", tag="^loss$")))
    three = rows["./three"]
    assert (three["scalar/loss/last"], three["scalar/loss/min"]) == (2.0, 1.0)
    assert (three["scalar/loss/min_step"], three["scalar/loss/max_step"]) == (5, 0)
    assert rows["./two"]["scalar/loss/last"] is None
    assert "scalar/lr/last" not in three


def test_only_requested_jobs_make_rows_and_columns(store: FakeStore) -> None:
    (row,) = json_rows(exported(store, "lineage", "json", train_id="two"))
    assert row["user_defined/seed"] == 2.5
    assert "metric/acc" not in row


def test_columns_have_a_type_that_fits_all_their_cells(store: FakeStore) -> None:
    pytest.importorskip("pyarrow")
    rows = by_id(parquet_rows(exported(store, "lineage", "parquet")))
    assert rows["./one"]["user_defined/seed"] == 1.0
    assert rows["./one"]["user_defined/flag"] is True
    assert json.loads(rows["./one"]["user_defined/mixed"]) == "a"
    assert json.loads(rows["./two"]["user_defined/mixed"]) == 1
    assert rows["./one"]["epoch"] == 3
    assert rows["./three"]["user_defined/seed"] is None


def test_a_line_of_csv_has_all_facts_of_a_job(store: FakeStore) -> None:
    rows = csv_rows(exported(store, "lineage", "csv"))
    assert column(rows, "train_id") == ["./one", "./three", "./two"]
    assert column(rows, "has_lineage") == ["true", "false", "true"]
    assert json.loads(rows[0]["dataset_graph"]) == {"op_type": "Batch", "children": []}


@pytest.mark.parametrize("output_format", ["csv", "json", "parquet"])
def test_notes_are_the_last_columns(store: FakeStore, output_format: str) -> None:
    read = {"csv": csv_rows, "json": json_rows, "parquet": parquet_rows}[output_format]
    noted = {"./two": Annotation(tag=3, remark="good", pinned=True, group="ours")}
    file = exported(store, "lineage", output_format, annotations=noted)
    rows = by_id(read(file))
    assert (
        tuple(rows["./one"])[-len(ANNOTATION_COLUMNS) :]
        == tuple(ANNOTATION_COLUMNS)
        == ANNOTATION_FIELDS
    )
    two = [str(rows["./two"][name]).lower() for name in ("tag", "remark", "pinned", "group")]
    assert two == ["3", "good", "true", "ours"]
    assert not rows["./one"]["remark"]


def test_a_table_of_too_many_cells_is_refused_before_it_is_built(
    store: FakeStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lineage_table, "MAX_CELLS", 10)
    with pytest.raises(AnswerTooLarge, match="3 train jobs with 6 columns"):
        exported(store, "lineage", "csv", tag="nothing")
    assert len(csv_rows(exported(store, "lineage", "csv", train_id="one"))) == 1


@pytest.fixture(scope="module")
def many_tags() -> FakeStore:
    store = FakeStore()
    job = store.add("./a")
    for number in range(6001):
        job.append(f"tag{number}", [0], [float(number)])
    return store


@pytest.mark.parametrize("output_format", ["csv", "json"])
def test_statistics_of_many_tags_are_not_computed_one_by_one(
    many_tags: FakeStore, output_format: str
) -> None:
    columns = 6001 * len(SCALAR_STATISTICS)
    assert calls_of(lambda: exported(many_tags, "lineage", output_format, tag=".")) < 16 * columns


def test_parquet_with_too_many_columns_is_refused(many_tags: FakeStore) -> None:
    pytest.importorskip("pyarrow")
    with pytest.raises(AnswerTooLarge, match="30006 columns, and parquet stores at most 30000"):
        exported(many_tags, "lineage", "parquet", tag=".")
    assert len(parquet_rows(exported(many_tags, "lineage", "parquet", tag="5$"))) == 1
