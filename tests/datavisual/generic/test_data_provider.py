from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from mindviz.datavisual.answer_bounds import AnswerBounds
from mindviz.datavisual.experiments import Experiments, ServedExperiment
from mindviz.datavisual.generic.data_provider import DataProvider, RequestContext, StoreProvider
from mindviz.errors import BlobNotFound
from mindviz.wire import encode_tensorboard as tensorboard
from mindviz.wire.encode import frames
from mindviz.wire.framing import Framing
from tests.provider_logs import PNG
from tests.provider_suite import DataProviderSuite
from tests.written_logs import loaded, write

CONTEXT = RequestContext()


class TestSeveralExperiments(DataProviderSuite):
    @classmethod
    @contextmanager
    def opened(
        cls, base_dir: Path, experiment_id: str, bounds: AnswerBounds
    ) -> Iterator[DataProvider]:
        first = ServedExperiment(experiment_id, loaded(base_dir))
        second = ServedExperiment("second", loaded(base_dir / "ms"))
        yield StoreProvider(Experiments([first, second]), bounds)


def two(directory: Path) -> Experiments:
    """Two experiments with an image of the same name."""
    for name in ("a", "b"):
        image = tensorboard.image_v1("i", PNG + name.encode(), 2, 1)
        event = tensorboard.event(1.0, 5, [image])
        write(directory / name / name, "tfevents.1", frames([event], Framing.TFRECORD))
    return Experiments([ServedExperiment(name, loaded(directory / name)) for name in ("a", "b")])


def test_each_experiment_answers_for_itself(tmp_path: Path) -> None:
    provider = StoreProvider(two(tmp_path))
    for experiment_id, train_id in (("", "./a"), ("a", "./a"), ("b", "./b")):
        runs = provider.list_train_jobs(CONTEXT, experiment_id=experiment_id)
        assert [run.train_id for run in runs] == [train_id]


def test_a_blob_is_found_in_any_experiment(tmp_path: Path) -> None:
    provider = StoreProvider(two(tmp_path))
    for name in ("a", "b"):
        answer = provider.read_blob_sequences(CONTEXT, experiment_id=name, plugin_name="images")
        key = answer[f"./{name}"]["i"].references[0][2].key
        blob = provider.read_blob(CONTEXT, blob_key=key)
        assert b"".join(blob.chunks()) == PNG + name.encode()


def test_a_blob_belongs_to_one_experiment(tmp_path: Path) -> None:
    first, second = (StoreProvider.of(one.store, one.experiment_id) for one in two(tmp_path))
    answer = first.read_blob_sequences(CONTEXT, experiment_id="", plugin_name="images")
    key = answer["./a"]["i"].references[0][2].key
    with pytest.raises(BlobNotFound):
        second.read_blob(CONTEXT, blob_key=key)
