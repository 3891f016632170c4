from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mindviz.datavisual.logs.snapshots.catalog import Catalog
from mindviz.datavisual.series.findings import FindingKind
from mindviz.wire import encode_mindspore as mindspore
from mindviz.wire import encode_tensorboard as tensorboard
from mindviz.wire.encode import frames
from mindviz.wire.framing import Framing
from tests.written_logs import snapshot_of, tensorboard_log, write


def event_file(*values: bytes, start: float = 1_000.0) -> bytes:
    records = [tensorboard.event(start + i, i, [value]) for i, value in enumerate(values)]
    return frames(records, Framing.TFRECORD)


def test_a_tag_may_be_a_series_of_each_kind(tmp_path: Path) -> None:
    values = [mindspore.scalar("x", 1.0), mindspore.image("x", b"png", 1, 1)]
    log = frames([mindspore.event(1.0, 1, values)], Framing.TFRECORD)
    file = snapshot_of(write(tmp_path, "a.summary.1.MS", log))
    entries = Catalog.of([file]).entries
    assert {plugin: list(tags) for plugin, tags in entries.items()} == {
        "scalar": ["x"],
        "image": ["x"],
    }


def test_the_earliest_metadata_determines_the_series(tmp_path: Path) -> None:
    edges, counts = np.array([0.0, 1.0]), np.array([3.0])
    with_metadata = tensorboard.histogram("weights", edges, counts)
    bare = tensorboard.tensor("weights", np.zeros((1, 3)))
    later = snapshot_of(write(tmp_path, "tfevents.1", event_file(bare, start=5.0)))
    earlier = snapshot_of(write(tmp_path, "tfevents.2", event_file(with_metadata, start=1.0)))
    catalog = Catalog.of([later, earlier])
    (entry,) = catalog.entries["histogram"].values()
    assert [ref.file for ref in entry.refs] == [1, 0]
    assert catalog.findings == ()


def test_a_changed_class_is_a_finding_and_the_earlier_one_is_served(tmp_path: Path) -> None:
    text = snapshot_of(
        write(tmp_path, "tfevents.1", event_file(tensorboard.text("t", "hello"), start=1.0))
    )
    image = snapshot_of(
        write(tmp_path, "tfevents.2", event_file(tensorboard.image("t", [b"png"], 1, 1), start=9.0))
    )
    catalog = Catalog.of([image, text])
    assert set(catalog.entries) == {"text"}
    (finding,) = catalog.findings
    assert (finding.kind, finding.path) == (FindingKind.CLASS_MISMATCH, "tfevents.2")


@pytest.mark.parametrize("odd", [b"\xff\xfe", b"\0\0"])
def test_a_tag_that_no_url_can_contain_is_served_and_is_a_finding(
    tmp_path: Path, odd: bytes
) -> None:
    log = event_file(tensorboard.scalar(odd + b"loss", 1.0))
    catalog = Catalog.of([snapshot_of(write(tmp_path, "tfevents.1", log))])
    assert list(catalog.entries["scalar"]) == ["\ufffd\ufffdloss"]
    assert [finding.kind for finding in catalog.findings] == [FindingKind.BAD_TAG]


def test_tags_that_differ_in_undecodable_bytes_are_different_series(
    tmp_path: Path,
) -> None:
    odd = [b"a\xff", b"a\xfe", b"a\0", "a\ufffd".encode(), "a\ufffdfe".encode(), b"a\\xfe"]
    log = event_file(*(tensorboard.scalar(tag, 1.0) for tag in odd))
    again = event_file(*(tensorboard.scalar(tag, 1.0) for tag in reversed(odd)), start=9e9)
    files = [snapshot_of(write(tmp_path, "tfevents.1", log))]
    files.append(snapshot_of(write(tmp_path, "tfevents.2", again)))
    scalars = Catalog.of(files).entries["scalar"]
    names = ["a\ufffd", "a\ufffdfe", "a\ufffd00", "a\ufffd#2", "a\ufffdfe#2", "a\\xfe"]
    assert list(scalars) == names
    for tag, entry in zip(odd, scalars.values(), strict=True):
        assert [files[ref.file].series[ref.series].tag for ref in entry.refs] == [tag, tag]


def test_a_graph_file_is_named_after_itself(tmp_path: Path) -> None:
    files = [
        snapshot_of(write(tmp_path, "tfevents.1", tensorboard_log([(1, 1.0)]))),
        snapshot_of(write(tmp_path, "ms_output_1.pb", b"graph")),
    ]
    assert list(Catalog.of(files).entries["graph"]) == ["ms_output_1.pb"]
