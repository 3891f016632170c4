"""Lineage as JSON and back."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from mindviz.deadline import allow, doing
from mindviz.errors import DamagedValue, DeadlineExceeded, InvalidQuery
from mindviz.export.lineage_columns import lineage_columns, lineage_json
from mindviz.export.lineage_rows import ANNOTATION_COLUMNS
from mindviz.export.table import Kind
from mindviz.lineagemgr.lineage_table import Lineages
from tests.written_logs import loaded, tensorboard_log, write


def test_columns_round_trip(tmp_path: Path) -> None:
    for name, last in (("b", math.nan), ("a", -math.inf), ("c", 0.5)):
        write(tmp_path / name, "tfevents.1", tensorboard_log([(1, 0.1), (2, last)]))
    store = loaded(tmp_path)
    columns = lineage_columns(lineage_json(store, Lineages(store), patterns=["^lo"]))
    assert columns["train_id"] == (Kind.TEXT, ["./a", "./b", "./c"])
    assert columns["has_lineage"].kind is Kind.FLAG
    kind, cells = columns["scalar/loss/last"]
    assert kind is Kind.NUMBER
    assert str(cells) == "[-inf, nan, 0.5]"
    assert columns["learning_rate"].cells == [None, None, None]
    assert ANNOTATION_COLUMNS.keys().isdisjoint(columns)


@pytest.mark.parametrize(
    ("tags", "patterns", "expected"),
    [((), (), []), (["loss"], (), ["loss"]), (["los"], ["acc", "x"], ["acc"]), ((), [""], None)],
)
def test_tags_are_exact_and_patterns_are_searched(
    tmp_path: Path, tags: list[str], patterns: list[str], expected: list[str] | None
) -> None:
    names = ["acc", "loss", "loss/valid"]
    for name in names:
        write(
            tmp_path,
            f"tfevents.{name.partition('/')[2]}{name[0]}",
            tensorboard_log([(1, 0.1)], tag=name),
        )
    store = loaded(tmp_path)
    columns = lineage_columns(lineage_json(store, Lineages(store), tags, patterns))
    assert [one for one in names if f"scalar/{one}/last" in columns] == (
        names if expected is None else expected
    )


def test_a_pattern_has_to_be_an_expression(tmp_path: Path) -> None:
    store = loaded(tmp_path)
    with pytest.raises(InvalidQuery, match="tag_pattern"):
        lineage_json(store, Lineages(store), patterns=["("])


@pytest.mark.parametrize("content", [b"", b"[]", b'{"columns": [{"name": "a", "kind": "no"}]}'])
def test_invalid_lineage_is_refused(content: bytes) -> None:
    with pytest.raises(DamagedValue):
        lineage_columns(content)


def test_columns_of_many_tags_stop_at_the_deadline(tmp_path: Path) -> None:
    write(tmp_path, "tfevents.1", tensorboard_log([(1, 0.1)]))
    store = loaded(tmp_path)
    lineages = Lineages(store)
    with doing(allow(-1.0)), pytest.raises(DeadlineExceeded):
        lineage_json(store, lineages, patterns=["."])
