"""Series of a run in a store, read on demand."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from mindviz.datavisual.series.findings import Finding, FindingKind
from mindviz.lineagemgr.run_series import StoredSeries, lost_data
from tests.parity_values import STEPS, steps, write_tensors
from tests.written_logs import loaded


def test_values_are_read_newest_first_when_they_are_needed(tmp_path: Path) -> None:
    write_tensors(tmp_path / "a", steps())
    series = StoredSeries(loaded(tmp_path), "./a")
    assert sorted(series.tags) == ["audio", "histogram", "image", "tensor", "text"]
    values = list(series.values("tensor", "tensor"))
    assert [step for step, _ in values] == list(reversed(range(STEPS)))
    for step, read in values:
        np.testing.assert_array_equal(read().data, steps()[step].tensor)  # type: ignore[union-attr]
    assert list(series.values("tensor", "deleted")) == []


def test_damage_is_listed_by_file(tmp_path: Path) -> None:
    write_tensors(tmp_path / "a", steps())
    (path,) = (tmp_path / "a").iterdir()
    log = path.read_bytes()
    path.write_bytes(log.replace(b"**step** 3", b"**step** X"))
    series = StoredSeries(loaded(tmp_path), "./a")
    (lost,) = series.lost_data()
    assert lost.path == f"a/{path.name}"


def test_problems_that_lose_nothing_are_not_listed() -> None:
    problems = [
        Finding(FindingKind.SEVERAL_WRITERS, "log", detail="Two files."),
        Finding(FindingKind.BAD_PAYLOAD, "log", 5, "A record fails its checksum.", 1),
        Finding(FindingKind.BAD_PAYLOAD, "log", 9, "A record fails its checksum.", 1),
    ]
    assert [str(lost) for lost in lost_data(problems)] == ["log: A record fails its checksum."]
