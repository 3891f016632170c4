"""Series of a server's run, equal to those of its logs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from mindviz.client import served_series
from mindviz.client.opening import open_source
from mindviz.datavisual.analysis.series_parity import compare_values
from mindviz.datavisual.plugins import find_plugin
from mindviz.errors import TrainJobNotFound
from mindviz.lineagemgr.run_series import RunSeries, StoredSeries
from tests.parity_logs import scalars, write_tensorboard
from tests.parity_values import STEPS, Values, steps, write_mindspore, write_tensors
from tests.served_logs import serving
from tests.written_logs import loaded


@pytest.fixture(scope="module")
def base_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    base_dir = tmp_path_factory.mktemp("served") / "logs"
    write_tensors(base_dir / "a", many())
    write_mindspore(base_dir / "ms", steps())
    write_tensorboard(base_dir / "scalars", scalars(20))
    return base_dir


def many() -> list[Values]:
    return (steps() * 5)[: 4 * STEPS + 4]


@pytest.fixture(scope="module")
def url(base_dir: Path) -> Iterator[str]:
    with serving(base_dir) as url:
        yield url


def served(url: str, train_id: str) -> RunSeries:
    with closing(open_source(url)) as source:
        return source.run(train_id)


@pytest.mark.parametrize("plugin", ["tensor", "histogram", "image", "audio", "text"])
@pytest.mark.parametrize("page_bytes", [1, 1 << 24])
def test_values_equal_those_of_the_logs(
    base_dir: Path, url: str, plugin: str, page_bytes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(served_series, "_PAGE_BYTES", page_bytes)
    compare = find_plugin(plugin).parity
    assert compare is not None
    stored = StoredSeries(loaded(base_dir), "./a")
    parity = compare_values(
        stored.values(plugin, plugin), served(url, "./a").values(plugin, plugin), compare
    )
    assert (parity.equal, parity.common_steps) == (True, len(many()))


def test_texts_that_are_too_large_for_answers_are_missing(tmp_path: Path) -> None:
    large = "x" * (10 * 1024 * 1024 + 1)
    logged = [replace(one, text=large if step % 3 == 2 else "") for step, one in enumerate(steps())]
    write_tensors(tmp_path / "a", logged)
    with serving(tmp_path) as url:
        read = [step for step, _ in served(url, "./a").values("text", "text")]
    assert read == [4, 3, 1, 0]


def test_tags_and_points_equal_those_of_the_logs(base_dir: Path, url: str) -> None:
    store = loaded(base_dir)
    for train_id in ("./a", "./ms", "./scalars"):
        stored, other = StoredSeries(store, train_id), served(url, train_id)
        assert {name: list(tags) for name, tags in other.tags.items() if tags} == {
            name: list(tags) for name, tags in stored.tags.items() if tags
        }
        tags = frozenset(stored.tags.get("scalar", ()))
        points = other.points(tags)
        for tag, expected in stored.points(tags).items():
            np.testing.assert_array_equal(points[tag].value, expected.value)
    assert other.lost_data() == []


def test_unknown_runs_and_tags(url: str) -> None:
    with pytest.raises(TrainJobNotFound):
        _ = served(url, "./b").tags
    for plugin in ("tensor", "histogram", "image"):
        assert list(served(url, "./ms").values(plugin, "deleted")) == []
