"""What was recorded, as mindviz's own reader finds it."""

from __future__ import annotations

from pathlib import Path

from google.protobuf.message import Message

from mindviz.wire.framing import Framing, unpack_record
from mindviz.wire.proto import mindspore_pb2
from tests.proto import tensorboard_pb2


def payloads(log: Path) -> list[bytes]:
    """Every record of a TFRECORD log, checksums verified; a half record at the end is an error."""
    data = log.read_bytes()
    found = []
    while data:
        size = int.from_bytes(data[:8], "little") + 16
        found.append(unpack_record(Framing.TFRECORD, data[:size]))
        data = data[size:]
    return found


def events(directory: Path) -> list[mindspore_pb2.Event]:
    """The events of all summary files, the version records left out."""
    logs = sorted(directory.glob("*.out.events.summary.*_MS"))
    parsed = [mindspore_pb2.Event.FromString(one) for log in logs for one in payloads(log)]
    return [event for event in parsed if not event.version]


def values(directory: Path) -> dict[str, list[tuple[int, mindspore_pb2.Summary.Value]]]:
    """Tag -> (step, value), in the order written."""
    found: dict[str, list[tuple[int, mindspore_pb2.Summary.Value]]] = {}
    for event in events(directory):
        for value in event.summary.value:
            found.setdefault(value.tag.decode(), []).append((event.step, value))
    return found


def scalars(directory: Path) -> dict[str, list[tuple[int, float]]]:
    """Tag -> (step, number)."""
    return {
        tag: [(step, value.scalar_value) for step, value in points]
        for tag, points in values(directory).items()
        if points[0][1].HasField("scalar_value")
    }


def one_value(directory: Path, tag: str) -> mindspore_pb2.Summary.Value:
    """The only value under a tag."""
    ((_, value),) = values(directory)[tag]
    return value


def facts(directory: Path) -> list[mindspore_pb2.LineageEvent]:
    """The contents of the lineage files."""
    logs = sorted(directory.glob("*_lineage"))
    return [mindspore_pb2.LineageEvent.FromString(one) for log in logs for one in payloads(log)]


def tensorboard_values(directory: Path) -> list[tuple[int, tensorboard_pb2.Summary.Value]]:
    """(step, value) of all event files in TensorBoard's format."""
    logs = sorted(directory.rglob("*tfevents*"))
    parsed = [tensorboard_pb2.Event.FromString(one) for log in logs for one in payloads(log)]
    return [(event.step, value) for event in parsed for value in event.summary.value]


def same(one: Message, other: Message) -> bool:
    """Whether two messages are equal; NaN equals NaN."""
    return str(one) == str(other)
