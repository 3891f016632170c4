from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mindviz.asking.question import Question, parse_question
from mindviz.client.log_source import DirectorySource, LogSource
from mindviz.client.opening import open_source
from mindviz.errors import InvalidQuery, NotFound
from mindviz.lineagemgr.annotations import WorkspaceAnnotations
from mindviz.wire.encode import frames
from mindviz.wire.encode_tensorboard import event, scalar, version_event
from mindviz.wire.framing import Framing
from tests.lineage_logs import session_start
from tests.written_logs import write

RUNS: dict[str, dict[str, float | str]] = {
    "a": {"lr": 0.1, "optimizer": "adam", "batch_size": 32.0},
    "b": {"lr": 0.01, "optimizer": "sgd", "batch_size": 32.0},
    "my best run": {"lr": 0.05, "optimizer": "adam", "batch_size": 64.0},
    "run_3": {"lr": 0.2, "optimizer": "adam", "batch_size": 64.0},
    "sweeps/resnet/seed=1": {"lr": 0.3, "optimizer": "sgd", "batch_size": 64.0},
    "sweeps/resnet/seed=2": {"lr": 0.4, "optimizer": "sgd", "batch_size": 64.0},
}
TAGS = ("train/loss", "val/loss", "val/acc", "train/acc", "grad_norm", "GPU memory")
PHRASES = {
    # Of all runs.
    "which run has the best accuracy": "list sort val/acc desc",
    "best run by val/acc": "list sort val/acc desc",
    "What is the highest training accuracy?": "list sort train/acc desc",
    "lowest validation loss": "list sort val/loss",
    "runs sorted by loss": "list sort train/loss",
    "top 5 runs by val/loss": "list sort val/loss",
    "worst run by accuracy": "list sort val/acc",
    "sort by learning rate": "list sort lr",
    "runs with lr 0.1": "find 'lr = 0.1'",
    "which runs have a learning rate below 0.1?": "find 'lr < 0.1'",
    "runs where val/acc > 0.9": "find '\"val/acc\" > 0.9'",
    "runs with an accuracy of at least 0.9": "find '\"val/acc\" >= 0.9'",
    "which runs used sgd": "find 'optimizer = sgd'",
    "all finished runs": "find 'state = finished'",
    "how did the resnet runs do": "find resnet",
    "best resnet run by accuracy": "find resnet sort val/acc desc",
    "what did the runs change": "config",
    "which hyperparameters differ": "config",
    "did anything diverge": "health",
    "are there NaN values": "health",
    "show me everything": "list",
    "what is the latest run": "run sweeps/resnet/seed=2",
    # Of one run.
    "why did run 3 diverge": "health run_3",
    "what happened in run_3?": "health run_3",
    "show me the loss of a": "series a train/loss",
    "show me the validation loss of my best run": "series 'my best run' val/loss",
    "plot val/acc for sweeps/resnet/seed=1": "series sweeps/resnet/seed=1 val/acc",
    "gradient norm in ./b": "series b grad_norm",
    "how much GPU memory does b use": "series b 'GPU memory'",
    "did the loss of seed=2 converge": "series sweeps/resnet/seed=2 train/loss",
    "hyperparameters of a": "run a",
    "tell me about my best run": "run 'my best run'",
    "config b": "run b",
    "what happened at step 2 of a": "around a 2",
    "loss of b near step 1,000": "around b 1000 of train/loss",
    # Of several runs.
    "what changed between a and b": "config a b",
    "difference between run_3 and seed=1": "config run_3 sweeps/resnet/seed=1",
    "is a better than b": "compare a b",
    "compare a, b and my best run": "compare a b 'my best run'",
    "val/acc of a versus run 3": "compare a run_3 of val/acc",
    "plot the train loss of a and b": "compare a b of train/loss",
    # With the right first word, or nearly.
    "run my best run": "run 'my best run'",
    "serie a train/los": "series a train/loss",
    "series my best run val/acc": "series 'my best run' val/acc",
    "around a": "around a 2",
    "compare run_3": "compare run_3 sweeps/resnet/seed=2",
    "list runs by val/acc descending": "list sort val/acc desc",
    "list all runs": "list",
    "find": "find '\"train/loss\" < 1'",
    "compare a and b": "compare a b",
    "compare run_3 with b of val/acc": "compare run_3 b of val/acc",
}


def log_of(parameters: dict[str, float | str], hour: int) -> bytes:
    """Three steps."""
    start = 1_700_000_000 + 3_600 * hour
    events = [event(start, 0, [session_start(parameters)])]
    events += [
        event(start + step, step, [scalar(tag, 0.5 / (step + 1)) for tag in TAGS])
        for step in range(3)
    ]
    return frames([version_event(start), *events], Framing.TFRECORD)


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LogSource]:
    base_dir = tmp_path_factory.mktemp("logs")
    for place, (name, parameters) in enumerate(RUNS.items()):
        write(base_dir / name, "events.out.tfevents.1700000000.host", log_of(parameters, place))
    opened = open_source(str(base_dir))
    yield opened
    opened.close()


def nearest(source: LogSource, text: str) -> str:
    """The suggestion, as a user copies it."""
    with pytest.raises(InvalidQuery) as raised:
        source.answer(text)
    return str(raised.value).partition("Did you mean `")[2].partition("`?")[0]


@pytest.mark.parametrize("phrase", PHRASES)
def test_the_nearest_question_of_a_phrase(source: LogSource, phrase: str) -> None:
    assert nearest(source, phrase) == PHRASES[phrase]


@pytest.mark.parametrize("phrase", PHRASES)
def test_a_suggestion_can_be_copied_into_a_shell(source: LogSource, phrase: str) -> None:
    words = shlex.split(nearest(source, phrase))
    assert source.answer(shlex.join(words))


@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text() | st.lists(st.sampled_from([*" ".join(PHRASES).split()])).map(" ".join))
def test_every_text_is_answered_or_gets_a_question_with_an_answer(
    source: LogSource, text: str
) -> None:
    try:
        source.answer(text)
    except NotFound:  # a right question about an unknown name
        return
    except InvalidQuery as error:
        if "Did you mean `" in str(error):
            assert source.answer(nearest(source, text))


def test_a_suggestion_is_a_question(source: LogSource) -> None:
    assert parse_question(nearest(source, "runs where val/acc > 0.9")) == Question(
        "find", filter='"val/acc" > 0.9'
    )


def test_the_newest_runs_are_those_that_the_page_selects(tmp_path: Path) -> None:
    base_dir, workspace = tmp_path / "logs", tmp_path / "work"
    for place, name in enumerate(RUNS):
        log = log_of({}, place)
        write(base_dir / name, "events.out.tfevents.1700000000.host", log)
    annotations = WorkspaceAnnotations(workspace, base_dir)
    annotations.update("./run_3", {"hidden": True})
    with closing(open_source(str(base_dir))) as source:
        assert isinstance(source, DirectorySource)
        source.annotations = annotations
        content = json.loads(source.answer("#/compare", form="json"))
    assert content["question"].startswith("compare sweeps/resnet/seed=2 sweeps/resnet/seed=1 'my")
    assert "run_3" not in content["question"]
