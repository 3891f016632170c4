from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from mindviz.datavisual.experiments import Experiments, ServedExperiment
from mindviz.datavisual.experiments_provider import ExperimentsProvider
from mindviz.datavisual.generic.answer_bounds import AnswerBounds
from mindviz.datavisual.generic.data_provider import DataProvider
from mindviz.datavisual.generic.series_query import RequestContext
from mindviz.datavisual.logs.log_directory_provider import LogDirectoryProvider
from mindviz.errors import BlobNotFound
from mindviz.wire import encode_tensorboard as tensorboard
from mindviz.wire.encode import frames
from mindviz.wire.framing import Framing
from tests.provider_logs import PNG
from tests.provider_suite import DataProviderSuite
from tests.written_logs import loaded, write

CONTEXT = RequestContext()


def served(base_dir: Path, experiment_id: str, bounds: AnswerBounds) -> ServedExperiment:
    experiment = loaded(base_dir)
    provider = LogDirectoryProvider(experiment, experiment_id, bounds=bounds)
    return ServedExperiment(experiment_id, experiment, provider)


class TestExperimentsProvider(DataProviderSuite):
    @classmethod
    @contextmanager
    def opened(
        cls, base_dir: Path, experiment_id: str, bounds: AnswerBounds
    ) -> Iterator[DataProvider]:
        first = served(base_dir, experiment_id, bounds)
        second = served(base_dir / "ms", "second", bounds)
        yield ExperimentsProvider(Experiments([first, second]))


def two(directory: Path) -> Experiments:
    """Two experiments with an image of the same name."""
    for name in ("a", "b"):
        image = tensorboard.image_v1("i", PNG + name.encode(), 2, 1)
        event = tensorboard.event(1.0, 5, [image])
        write(directory / name / name, "tfevents.1", frames([event], Framing.TFRECORD))
    return Experiments([served(directory / name, name, AnswerBounds()) for name in ("a", "b")])


def test_each_experiment_answers_for_itself(tmp_path: Path) -> None:
    provider = ExperimentsProvider(two(tmp_path))
    for experiment_id, train_id in (("", "./a"), ("a", "./a"), ("b", "./b")):
        runs = provider.list_train_jobs(CONTEXT, experiment_id=experiment_id)
        assert [run.train_id for run in runs] == [train_id]


def test_a_blob_is_found_in_whichever_experiment_it_is(tmp_path: Path) -> None:
    provider = ExperimentsProvider(two(tmp_path))
    for name in ("a", "b"):
        answer = provider.read_blob_sequences(CONTEXT, experiment_id=name, plugin_name="images")
        key = answer[f"./{name}"]["i"].references[0][2].key
        blob = provider.read_blob(CONTEXT, blob_key=key)
        assert b"".join(blob.chunks()) == PNG + name.encode()


def test_a_blob_of_one_experiment_is_none_of_another(tmp_path: Path) -> None:
    first, second = two(tmp_path)
    answer = first.provider.read_blob_sequences(CONTEXT, experiment_id="", plugin_name="images")
    key = answer["./a"]["i"].references[0][2].key
    with pytest.raises(BlobNotFound):
        second.provider.read_blob(CONTEXT, blob_key=key)
