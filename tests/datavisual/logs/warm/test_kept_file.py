from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np

from mindviz.datavisual.logs.directories.log_entry import recognize
from mindviz.datavisual.logs.loading.file_loader import FileLoader
from mindviz.datavisual.logs.loading.scan_options import ScanOptions
from mindviz.datavisual.logs.snapshots.series_totals import SeriesTotals
from mindviz.datavisual.logs.warm.kept_file import (
    KeptFile,
    batch_of,
    batch_section,
    file_of,
    file_section,
)
from mindviz.datavisual.logs.warm.pack import Pack, PackWriter, Place, Section
from mindviz.datavisual.logs.warm.warm_cache import WarmCache
from mindviz.datavisual.series.columns import Batch, ScalarColumns
from mindviz.datavisual.series.lineage_facts import (
    EvaluationFacts,
    LineageFacts,
    MetricTag,
    MetricValue,
    TrainFacts,
)
from tests.written_logs import found_file

NOWHERE = Place("", 0, 0, 0)
GOLDEN = Path(__file__).parents[3] / "golden"
LOGS = sorted(path for path in GOLDEN.rglob("*") if path.is_file() and recognize(path.name))


def kept(path: Path, tmp_path: Path) -> tuple[FileLoader, KeptFile]:
    """A loader that has read a file, and what it keeps of it."""
    loader = FileLoader(found_file(path), ScanOptions())
    loader.refresh(lambda: None)
    writer = PackWriter(tmp_path)
    state = loader.keep(writer, WarmCache(tmp_path, ""))
    writer.close()
    assert state is not None
    return loader, state


def stored(section: Section, folder: Path) -> Section:
    """The section, written and read."""
    writer = PackWriter(folder)
    place = writer.add(section)
    writer.commit(Section({}, ()))
    return Pack(folder / writer.name).map(place)


def columns_of(columns: ScalarColumns) -> list[bytes]:
    names = ScalarColumns.__dataclass_fields__.keys() - {"stats"}
    return [getattr(columns, name).tobytes() for name in sorted(names)]


def values_of(batch: Batch) -> dict[str, bytes]:
    rows = batch.values.expanded
    return {name: getattr(rows, name).tobytes() for name in rows.__dataclass_fields__}


def test_all_that_was_read_of_a_log_is_kept(tmp_path: Path) -> None:
    assert len(LOGS) > 5
    for path in LOGS:
        loader, state = kept(path, tmp_path)
        again = file_of(
            stored(file_section(state), tmp_path), loader.found, state.identity, NOWHERE
        )
        assert replace(again, snapshot=state.snapshot, places=state.places) == state
        for name in state.snapshot.__dataclass_fields__:
            before, now = getattr(state.snapshot, name), getattr(again.snapshot, name)
            if name == "series":
                assert list(now) == list(before)
            elif name == "totals":
                assert repr(SeriesTotals(now.count, now.stats)) == repr(before)
            elif name not in ("held", "spans"):
                assert now == before, (path, name)
        assert repr(again.snapshot.held) == repr(state.snapshot.held)
        assert repr(again.snapshot.spans) == repr(state.snapshot.spans)
        for batch in loader.snapshot.batches:
            same = batch_of(stored(batch_section(batch), tmp_path))
            assert columns_of(same.scalars) == columns_of(batch.scalars)
            assert values_of(same) == values_of(batch)


def test_all_facts_are_kept(tmp_path: Path) -> None:
    facts = LineageFacts(
        train=TrainFacts(optimizer="Adam", learning_rate=math.inf, epoch=3),
        evaluation=EvaluationFacts({"acc": -0.0, "all": [1, None, {"a": True}]}, "p", 7),
        dataset_graph={"operations": [], "ü": "\udcff"},
        user_defined={"n": 2**70},
        hyper_parameters={"b": False},
        metric_tags=(MetricTag("t", "g"), MetricTag("u")),
        session_status="failure",
        session_group="g",
        session_start=1.5,
        session_end=2.5,
        session_values={"t": MetricValue(np.pi, 3, 4.0)},
    )
    _, state = kept(LOGS[0], tmp_path)
    state = replace(state, snapshot=replace(state.snapshot, facts=facts))
    again = file_of(
        stored(file_section(state), tmp_path), state.snapshot.found, state.identity, NOWHERE
    )
    assert again.snapshot.facts == facts
