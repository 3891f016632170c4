from __future__ import annotations

import math
from pathlib import Path

from mindviz.datavisual.logs.snapshots.file_snapshot import WHOLE_FILE, SegmentSpan
from mindviz.wire import encode_visualdl as visualdl
from mindviz.wire.encode import frames
from mindviz.wire.framing import Framing
from tests.written_logs import snapshot_of, tensorboard_log, write


def test_a_file_has_its_wall_time_range(tmp_path: Path) -> None:
    file = snapshot_of(write(tmp_path, "tfevents.1", tensorboard_log([(1, 1.0), (2, 2.0)])))
    assert file.spans == (SegmentSpan(0, 1_000.0, 1_001.0),)
    assert file.first_wall_time == 1_000.0


def test_a_file_without_points_is_the_youngest(tmp_path: Path) -> None:
    assert snapshot_of(write(tmp_path, "tfevents.1", b"")).first_wall_time == math.inf


def test_a_series_has_only_its_own_segments(tmp_path: Path) -> None:
    records = [
        visualdl.meta(1.0),
        visualdl.scalar(2.0, 1, "early", 1.0),
        visualdl.scalar(3.0, 1, "both", 1.0),
        visualdl.meta(4.0),
        visualdl.scalar(5.0, 2, "both", 2.0),
    ]
    log = frames(records, Framing.LENGTH_PREFIXED)
    file = snapshot_of(write(tmp_path, "vdlrecords.1.log", log))
    series = {head.tag: number for number, head in enumerate(file.series)}
    assert [span.segment for span in file.segments_with(series[b"early"])] == [0]
    assert [span.segment for span in file.segments_with(series[b"both"])] == [0, 1]
    step, _, value = file.scalars(series[b"both"], 1)
    assert (step.tolist(), value.tolist()) == ([2], [2.0])
    assert file.scalars(series[b"early"], 1)[0].tolist() == []


def test_a_graph_file_is_one_value(tmp_path: Path) -> None:
    file = snapshot_of(write(tmp_path, "vdlgraph.1.log", b'{"nodes": []}'))
    (span,) = file.segments_with(WHOLE_FILE)
    rows = file.values(WHOLE_FILE, span.segment)
    assert (rows.value_offset.tolist(), rows.value_length.tolist()) == ([0], [13])
