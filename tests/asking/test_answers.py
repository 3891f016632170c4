"""Answers about the sample trainings, equal from a directory, objects, a server and databases.

`python -m tests.asking.test_answers` rewrites the golden answers.
"""

from __future__ import annotations

import json
import math
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from mindviz.asking.answer import Cut
from mindviz.asking.answers import answer
from mindviz.asking.known_runs import KnownRuns
from mindviz.asking.token_count import count_tokens
from mindviz.client.log_source import LogSource
from mindviz.client.opening import open_source
from mindviz.datavisual.health.log_health import LogHealth
from mindviz.datavisual.sql.database import Database
from mindviz.errors import AnswerTooLarge, InvalidQuery, NotFound
from mindviz.lineagemgr.lineage_table import Lineages
from mindviz.stored_lists.lists_of import run_lists
from tests.datavisual.health.test_log_health import HeldStore
from tests.imported_logs import imported
from tests.lineage_logs import session_start, write_tensorboard_job
from tests.object_server import object_server
from tests.postgresql import postgresql
from tests.sample_trainings import SPIKE, write_trainings
from tests.served_logs import serving

GOLDEN = Path(__file__).resolve().parent.parent / "golden" / "answers.json"
QUESTIONS = [
    "list",
    "list sort points desc",
    "list sort anomalies desc",
    "find lr < 0.05",
    "find optimizer = sgd and not lr_0.1 sort val/acc desc",
    "find nothing",
    "find severe_anomalies = 0 and anomalies > 0",
    "run resnet/lr_0.1",
    "run lenet",
    "run damaged",
    "series spiked train/loss",
    "series resnet/lr_0.01 val/acc",
    "around spiked 9000",
    "around spiked 9000 of train/loss",
    "compare resnet/lr_0.1 resnet/lr_0.01",
    "compare resnet/lr_0.1 resnet/lr_0.01 lenet of loss",
    "config",
    "config resnet/lr_0.1 lenet",
    "health",
    "health damaged",
]


def answered(source: LogSource, question: str, **cut: Any) -> dict[str, Any]:
    """The answer without the place of its page."""
    content: dict[str, Any] = json.loads(source.answer(question, **{"form": "json", **cut}))
    content["page"] = content["page"].removeprefix(source.place.url)
    content.pop("start", None)
    return content


@pytest.fixture(scope="module")
def base_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_trainings(tmp_path_factory.mktemp("logs") / "trainings")


@pytest.fixture(scope="module")
def directory(base_dir: Path) -> Iterator[LogSource]:
    source = open_source(str(base_dir), "", "", 0)
    yield source
    source.close()


def stored(base_dir: Path, url: str) -> LogSource:
    database = Database(url)
    imported(database, base_dir, "trainings")
    database.close()
    return open_source(url, "", "", 0)


@pytest.fixture(scope="module", params=["directory", "objects", "server", "sqlite", "postgresql"])
def source(
    request: pytest.FixtureRequest,
    base_dir: Path,
    directory: LogSource,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[LogSource]:
    if request.param == "directory":
        yield directory
    elif request.param == "objects":
        with pytest.MonkeyPatch.context() as environment, object_server(environment) as store:
            url = store.upload(base_dir, "team/trainings/")
            with closing(open_source(url, "", "", 0)) as opened:
                yield opened
    elif request.param == "server":
        with serving(base_dir) as url:
            opened = open_source(url, "", "", 0)
            while "checked so far" in opened.answer("health"):
                pass  # each answer waits for the check
            yield opened
    elif request.param == "sqlite":
        path = tmp_path_factory.mktemp("database") / "logs.db"
        with closing(stored(base_dir, f"sqlite:///{path}")) as opened:
            yield opened
    else:
        with closing(stored(base_dir, postgresql().new_database())) as opened:
            yield opened


@pytest.mark.parametrize("question", QUESTIONS)
def test_answers_are_golden_from_every_source(source: LogSource, question: str) -> None:
    golden = json.loads(GOLDEN.read_text("utf-8"))
    assert answered(source, question) == golden[question]


@pytest.mark.parametrize("question", QUESTIONS)
def test_texts_are_equal_from_every_source(
    source: LogSource, directory: LogSource, question: str
) -> None:
    """But for their last line, which says where the page is."""
    lines = source.answer(question).splitlines()
    assert lines[:-1] == directory.answer(question).splitlines()[:-1]
    assert lines[-1].startswith(f"page: {source.place.url}#/")


@pytest.mark.parametrize(
    ("question", "complaint"),
    [
        ("what is up", "Did you mean `list`?"),
        ("seris spiked lss", "Did you mean `series spiked train/loss`?"),
        ("why did the loss explode in spiked?", "Did you mean `series spiked train/loss`?"),
        ("spiked at step 9000", "Did you mean `around spiked 9000`?"),
        ("is lr_0.1 better than lr_0.01", "Did you mean `compare resnet/lr_0.1 resnet/lr_0.01`?"),
        ("series spiked", "Did you mean `series spiked train/loss`?"),
        ("around spiked", "Did you mean `around spiked 9999`?"),
        ("list lr < 0.05", "Did you mean `find 'lr < 0.05'`?"),
        ("any problems with damaged?", "Did you mean `health damaged`?"),
        ("how do the hyperparameters differ", "Did you mean `config`?"),
        ("find lr <", "Syntax error in the filter at character 5"),
        ("compare spiked spiked", "two different runs"),
        ("list --", "Questions: list"),
    ],
)
def test_wrong_questions_get_the_nearest_right_one(
    source: LogSource, question: str, complaint: str
) -> None:
    with pytest.raises(InvalidQuery) as raised:
        source.answer(question)
    assert complaint in str(raised.value)


@pytest.mark.parametrize(
    ("question", "nearest"),
    [
        ("run spike", "Did you mean 'spiked'?"),
        ("series spiked lss", "Did you mean 'train/loss'?"),
        ("around spiked 1 of grad_nrm", "Did you mean 'grad_norm'?"),
        ("compare spiked lent", "Did you mean 'lenet'?"),
        ("find leraning_rate < 1", "Did you mean 'learning_rate'?"),
        ("list sort val/ac", "Did you mean 'val/acc'?"),
        ("compare spiked lenet of val_accuracy", "No scalar series has the tag"),
    ],
)
def test_unknown_names_get_the_nearest_ones(source: LogSource, question: str, nearest: str) -> None:
    with pytest.raises(NotFound) as raised:
        source.answer(question)
    assert nearest in str(raised.value)


@pytest.mark.parametrize("question", ["run \ud800x", "run a\0b", "series spiked \ud800"])
def test_names_that_databases_cannot_store_are_unknown(source: LogSource, question: str) -> None:
    with pytest.raises((NotFound, InvalidQuery)):
        source.answer(question)


def test_a_budget_that_is_too_small_says_what_it_takes(source: LogSource) -> None:
    with pytest.raises(AnswerTooLarge, match=r"at least \d+ tokens.* use --max-tokens (\d+)"):
        source.answer("list", max_tokens=10)


@pytest.mark.parametrize("question", QUESTIONS)
def test_answers_keep_their_budget_and_continue(directory: LogSource, question: str) -> None:
    whole = answered(directory, question)
    rows: list[Any] = []
    cursor = 0
    while True:
        text = directory.answer(question, cursor, 700, "json")
        assert count_tokens(text) < 700
        content = json.loads(text)
        rows += content["rows"]
        if content["cursor"] is None:
            break
        cursor = int(content["cursor"])
    assert rows == whole["rows"]


def test_a_spike_among_10_000_points_is_in_the_answer(source: LogSource) -> None:
    rows = answered(source, "series spiked train/loss")["rows"]
    assert ["spike", SPIKE] in [row[:2] for row in rows]
    assert ["max", SPIKE] in [row[:2] for row in rows]
    moved = answered(source, "around spiked 9000")["rows"][0]
    assert (moved[0], moved[6]) == ("grad_norm", SPIKE - 2)


def test_damage_is_named_and_the_rest_is_answered(source: LogSource) -> None:
    answer = answered(source, "series damaged loss")
    assert answer["facts"]["points"] == 49
    (missing,) = answer["missing"]
    assert missing.endswith(".host: The record has a wrong checksum and was skipped.")


def test_names_are_taken_as_answers_show_them(source: LogSource) -> None:
    rows = answered(source, "run damaged")["rows"]
    (tag,) = [row[1] for row in rows if "x3c" in row[1]]
    answer = answered(source, f"series damaged '{tag}'")
    assert answer["facts"]["tag"] == tag == r"x/\x3cb>\x1b[31mred"
    assert answered(source, answer["question"]) == answer


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_link_of_an_answer_gives_the_answer(source: LogSource, question: str) -> None:
    answer = answered(source, question)
    again = answered(source, f"{source.place.url}{answer['page']}")
    assert again["page"] == answer["page"]
    assert again["question"] == answer["question"]


def test_a_parameter_has_the_spelling_of_most_runs(tmp_path: Path) -> None:
    spelled = ({"lr": 0.1}, {"lr": 0.2}, {"lr": 0.3}, {"learning rate": 0.4})
    for number, config in enumerate(spelled):
        write_tensorboard_job(tmp_path / f"run{number}", [session_start(config)])
    source = open_source(str(tmp_path))
    ((name, runs, distinct, *_),) = answered(source, "config")["rows"]
    assert (name, runs, distinct) == ("lr", 4, 4)
    ((name, *values),) = answered(source, "config run0 run1 run3")["rows"]
    assert (name, values) == ("lr", [0.1, 0.2, 0.4])
    ((_, name, value, *_),) = answered(source, "run run3")["rows"][:1]
    assert (name, value) == ("learning rate", 0.4)
    source.close()


def test_nothing_outside_the_base_dir_is_read(base_dir: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret content")
    inside = tmp_path / "logs"
    write_trainings(inside)
    (inside / "link").symlink_to(tmp_path / "secret")
    source = open_source(str(inside), "", "", 0)
    for question in ("run ../secret", "run link", "series ../../secret loss"):
        with pytest.raises(NotFound):
            source.answer(question)
    assert "secret content" not in source.answer("health")
    source.close()


@pytest.mark.parametrize("question", ["health", "list sort anomalies desc", "find 'anomalies > 0'"])
def test_answers_say_how_many_runs_are_checked_so_far(question: str) -> None:
    store = HeldStore()
    store.add("./a").append("loss", [1, 2], [0.5, math.nan])
    store.add("./b").append("loss", [1, 2], [0.5, 0.4])
    health = LogHealth(store)
    lists = run_lists(store, Lineages(store), health.run_events)
    early = json.loads(answer(KnownRuns(store, lists, None, health), question, Cut(form="json")))
    assert early["missing"] == ["0 of 2 runs checked so far: repeat the question for the others."]
    store.may_read.set()
    patient = KnownRuns(store, lists, None, health, threading.TIMEOUT_MAX)
    assert json.loads(answer(patient, question, Cut(form="json")))["missing"] == []


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        opened = open_source(str(write_trainings(Path(folder) / "trainings")), "", "", 0)
        answers = {question: answered(opened, question) for question in QUESTIONS}
        opened.close()
    GOLDEN.write_text(json.dumps(answers, indent=1, ensure_ascii=False) + "\n", "utf-8")
    sys.stdout.write(f"{len(answers)} answers\n")
