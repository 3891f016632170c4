from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import ClassVar

import pytest

from mindviz.config import Config
from mindviz.datavisual.answer_bounds import AnswerBounds
from mindviz.datavisual.generic.data_provider import DataProvider, StoreProvider
from mindviz.datavisual.logs.directories.summary_watcher import SummaryWatcher
from mindviz.datavisual.logs.log_store import LogStore
from mindviz.errors import StartError
from tests.object_server import ObjectServer, object_server
from tests.provider_suite import DataProviderSuite
from tests.written_logs import events, loaded, rows, tensorboard_log, write

LOG = tensorboard_log([(1, 0.5)])
POINTS = [(step, step / 7) for step in range(20_000)]
"""Of a log that several requests read."""


class TestObjects(DataProviderSuite):
    server: ClassVar[ObjectServer]
    prefixes = count()

    @pytest.fixture(scope="class", autouse=True)
    @classmethod
    def running(cls) -> Iterator[None]:
        with pytest.MonkeyPatch.context() as environment, object_server(environment) as cls.server:
            yield

    @classmethod
    @contextmanager
    def opened(
        cls, base_dir: Path, experiment_id: str, bounds: AnswerBounds
    ) -> Iterator[DataProvider]:
        url = cls.server.upload(base_dir, f"logs{next(cls.prefixes)}/{base_dir.name}/")
        yield StoreProvider.of(loaded(url), experiment_id, bounds=bounds)


def following(url: str) -> LogStore:
    """A store that has read all objects below a URL; `refresh` reads what is new."""
    store = LogStore(Config(url, reload_interval=0))
    store.start()
    store.refresh()
    return store


def found_in(store: LogStore) -> object:
    """What discovery and loading found, without places and times."""
    jobs = sorted(store.list_train_jobs(), key=lambda job: job.train_id)
    return store.status().problems, [
        (job.train_id, job.display_name, job.bytes, job.problems, store.list_tags(job.train_id))
        for job in jobs
    ]


def test_objects_are_found_as_files_are(tmp_path: Path, server: ObjectServer) -> None:
    base = tmp_path / "logs"
    for folder, name, content in (
        ("", "notes.txt", b"text"),
        ("a run", "events.out.tfevents.1.h", LOG),
        ("a run/deep/er", "events.out.tfevents.1.h", LOG),
        ("100% ünï+c&d=", "vdlrecords.1.log", b""),
        ("text", "events.out.tfevents.1.h", b"version https://git-lfs"),
        ("events.out.tfevents.2.h", "checkpoint", b"x"),
        ("profiler", "events.out.tfevents.1.h", LOG),
        ("broken", "events.out.tfevents.1.h", LOG[:-3]),
    ):
        write(base / folder, name, content)
    url = server.upload(base, "some/prefix/")
    server.put("some/prefix2/events.out.tfevents.1.h", LOG)
    server.put("some/prefix/a run/", b"")  # as some tools write for a directory
    assert found_in(loaded(url)) == found_in(loaded(base))
    assert found_in(loaded(url, max_depth=1)) == found_in(loaded(base, max_depth=1))
    assert len(loaded(f"{server.url}/some/prefix/a run").list_train_ids()) == 2


def test_a_whole_bucket_is_read(server: ObjectServer) -> None:
    server.put("events.out.tfevents.1.h", LOG)
    server.put("a/events.out.tfevents.1.h", LOG)
    assert sorted(loaded(server.url).list_train_ids()) == ["./", "./a"]


def test_a_rescan_costs_a_listing_per_thousand_objects(server: ObjectServer) -> None:
    keys = [f"logs/run{number:04}/events.out.tfevents.1.h" for number in range(5000)]
    server.fill(keys, LOG + bytes(1024))
    watcher = SummaryWatcher(f"{server.url}/logs")
    server.counted()
    assert len(watcher.poll().jobs) == 5000
    assert server.counted() == {"LIST": 5}
    assert not watcher.poll().changed
    assert server.counted() == {"LIST": 5}
    assert watcher.rest_seconds > 0


def test_an_object_that_grew_is_read_from_where_it_was(server: ObjectServer) -> None:
    key = "events.out.tfevents.1.h"
    log = tensorboard_log(POINTS)
    server.put(key, log)
    store = following(server.url)
    server.counted()
    server.put(key, log + events([(20_000, 1.0)], start=30_000.0))
    store.refresh()
    assert [one.first_byte for one in server.requests if not one.is_listing] == [0, len(log) - 16]
    assert rows(store.read_scalars("./", "loss")) == rows_of([*POINTS, (20_000, 1.0)])
    server.counted()
    store.refresh()
    assert server.counted() == {"LIST": 1}
    store.close()


def rows_of(points: list[tuple[int, float]]) -> list[tuple[int, float]]:
    """As values are stored, in single precision."""
    import numpy as np

    return [(step, float(np.float32(value))) for step, value in points]


@pytest.mark.parametrize("points", [[(7, 7.0)], [(step, 1.0) for step in range(20_000)]])
def test_an_object_that_was_replaced_is_read_anew(
    server: ObjectServer, points: list[tuple[int, float]]
) -> None:
    key = "events.out.tfevents.1.h"
    server.put(key, tensorboard_log(POINTS))
    store = following(server.url)
    server.put(key, tensorboard_log(points, start=2_000.0))
    store.refresh()
    assert rows(store.read_scalars("./", "loss")) == points
    store.close()


def test_an_object_that_changed_only_in_its_middle_is_read_anew(server: ObjectServer) -> None:
    key = "events.out.tfevents.1.h"
    server.put(key, tensorboard_log(POINTS))
    store = following(server.url)
    changed = [(step, 9.0 if step == 10_000 else value) for step, value in POINTS]
    server.put(key, tensorboard_log(changed))
    store.refresh()
    assert rows(store.read_scalars("./", "loss")) == rows_of(changed)
    store.close()


def test_an_object_that_was_cut_off_is_read_anew(server: ObjectServer) -> None:
    key, log = "events.out.tfevents.1.h", tensorboard_log(POINTS)
    server.put(key, log)
    store = following(server.url)
    server.put(key, log[: len(log) // 2])
    store.refresh()
    server.fault = lambda _: None
    assert found_in(store)[1][0][2] == len(log) // 2  # type: ignore[index]
    kept = rows(store.read_scalars("./", "loss"))
    assert 9_000 < len(kept) < 11_000
    assert kept == rows_of(POINTS[: len(kept)])
    store.close()


def test_deleted_objects_disappear(server: ObjectServer) -> None:
    for name in "ab":
        server.put(f"logs/{name}/events.out.tfevents.1.h", LOG)
    store = following(f"{server.url}/logs")
    server.delete("logs/a/events.out.tfevents.1.h")
    store.refresh()
    assert store.list_train_ids() == ["./b"]
    server.delete("logs/b/events.out.tfevents.1.h")
    store.refresh()
    assert store.list_train_ids() == []
    server.put("logs/c/events.out.tfevents.1.h", LOG)
    store.refresh()
    assert store.list_train_ids() == ["./c"]
    store.close()


def test_what_was_read_stays_while_the_store_fails(server: ObjectServer) -> None:
    server.put("a/events.out.tfevents.1.h", LOG)
    store = following(server.url)
    server.fault = lambda _: "503 SlowDown"
    store.refresh()
    (problem,) = store.status().problems
    assert problem.detail == "It cannot be read: The object store answers 503 SlowDown."
    assert rows(store.read_scalars("./a", "loss")) == [(1, 0.5)]
    server.fault = lambda _: None
    store.refresh()
    assert not store.status().problems
    store.close()


def test_a_bucket_that_does_not_exist_is_refused(server: ObjectServer) -> None:
    with pytest.raises(StartError, match=r"^Cannot read 's3://no-such-bucket-x/y': No such object"):
        LogStore(Config("s3://no-such-bucket-x/y"))


def test_keys_that_cannot_be_read_are_named(server: ObjectServer) -> None:
    server.fill(["a/../events.out.tfevents.1.h"], LOG)
    with pytest.raises(StartError, match="The key of an object has an empty part"):
        LogStore(Config(server.url))
