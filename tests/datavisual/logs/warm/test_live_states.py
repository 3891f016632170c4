from __future__ import annotations

import tracemalloc
from pathlib import Path
from typing import Any

from mindviz.datavisual.logs.log_file import FileIdentity
from mindviz.datavisual.logs.warm.live_states import live_packs
from mindviz.datavisual.logs.warm.pack import Place
from mindviz.datavisual.logs.warm.pack_index import JobStates, KeptState, PackIndex
from mindviz.datavisual.logs.warm.warm_cache import WarmCache
from tests.datavisual.logs.warm.test_known_states import table

PACKS, FILES = 20, 500
Index = tuple[dict[str, Any], PackIndex]


def index(pack: str, *names: str) -> Index:
    paths = [f"/base/a/{name}" for name in names]
    document = {"paths": paths, "packs": [f"before-{pack}"]}
    return document, table(pack, [("a", {f"{name}.tfevents": 1}, False) for name in names])


def test_only_the_newest_state_of_a_file_counts() -> None:
    indices = [index("3", "x", "y"), index("2", "y"), index("1", "z", "x", "w", "z")]
    live = live_packs(indices, set())
    assert [one.pack for one in live] == ["3", "2", "1"]
    assert [one.files for one in live] == [2, 1, 4]
    assert [list(one.newest) for one in live] == [[0, 1], [], [2, 3]]
    assert live[0].packs == ["before-3"]


def test_a_log_that_is_gone_has_no_newest_state() -> None:
    indices = [index("2", "x", "y"), index("1", "x", "z")]
    assert [list(one.newest) for one in live_packs(indices, {"/base/a/x"})] == [[1], [1]]


def test_few_indices_are_in_memory_at_a_time(tmp_path: Path) -> None:
    base = "s3://bucket/logs"  # whose logs are never gone
    warm = WarmCache(tmp_path, base)
    for pack in range(PACKS):
        writer = warm.writer()
        place = writer.add_encoded(b"")
        states = []
        for number in range(FILES):
            relative = f"run{pack:03d}{number:05d}/events.out.tfevents.{number}.host"
            identity = FileIdentity.packed(1, number, 2, 3, 4)
            at = Place(writer.name, place + number, 1, 2)
            kept = KeptState((f"{base}/{relative}", relative), identity, at)
            states.append(JobStates("", [kept], None, b""))
        warm.commit(writer, states)
    assert warm.live()[0].files == FILES
    tracemalloc.start()
    try:
        live = warm.live()
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert sum(len(one.newest) for one in live) == PACKS * FILES
    assert peak < 200 * PACKS * FILES  # all indices at a time take more
