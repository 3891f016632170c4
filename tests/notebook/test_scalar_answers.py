"""Equal answers from a directory, a database and a server."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from mindviz.client.opening import open_source
from mindviz.datavisual.sql.database import Database
from mindviz.errors import MindvizError
from mindviz.notebook.scalar_answers import Query, ScalarAnswers
from tests.imported_logs import imported
from tests.served_logs import serving
from tests.written_logs import tensorboard_log, write

QUERY: Query = {"train_id": ["./a"], "tag": ["loss/scalar"], "max_points": 100, "format": "arrow"}


@pytest.fixture(params=["directory", "database", "server"])
def answers(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[ScalarAnswers]:
    base_dir = tmp_path / "logs"
    log = tensorboard_log([(step, step / 8) for step in range(3)])
    write(base_dir / "a", "events.out.tfevents.1000.host", log)
    with ExitStack() as stack:
        location = str(base_dir)
        if request.param == "server":
            location = stack.enter_context(serving(base_dir))
        if request.param == "database":
            location = str(tmp_path / "logs.db")
            database = Database(location)
            imported(database, base_dir)
            database.close()
        source = open_source(location)
        stack.callback(source.close)
        yield ScalarAnswers.of(source)


def test_the_cursor_changes_with_the_points_only(answers: ScalarAnswers) -> None:
    content, cursor = answers.ask("whole", QUERY)
    assert len(content) > 3 * 3 * 8
    again, same = answers.ask("whole", QUERY, cursor)
    assert same == cursor
    assert len(again) < len(content)


def test_errors_are_those_of_the_server(answers: ScalarAnswers) -> None:
    with pytest.raises(MindvizError, match="strange"):
        answers.ask("whole", {**QUERY, "smoothing": "strange"})


def test_groups_change_with_their_points_only(answers: ScalarAnswers) -> None:
    query: Query = {"groups": {"all": ["./a"]}, "tags": ["loss"]}
    content, cursor = answers.ask("groups", query)
    (group,) = json.loads(content)["groups"]
    assert (group["name"], group["mean"]) == ("all", [0.0, 0.125, 0.25])
    assert answers.ask("groups", query, cursor)[1] == cursor


def test_marks_are_those_of_the_rules(answers: ScalarAnswers) -> None:
    content, cursor = answers.ask("marks", {"train_id": ["./a"], "limit": 0, "marks": True})
    assert json.loads(content) == {}
    assert cursor
