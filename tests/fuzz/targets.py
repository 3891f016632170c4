"""Targets of fuzzing: functions of hostile bytes, and their invariants.

The first byte of an input selects the target, the rest is its data. A target raises nothing if all
is well: documented errors are expected, others and warnings are not.
"""

from __future__ import annotations

import contextlib
import tempfile
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from mindviz.datavisual.logs.formats import log_formats, mindspore, tensorboard, visualdl
from mindviz.datavisual.logs.scanner.scan import (
    ScannerName,
    make_scanner,
    scanner_name,
)
from mindviz.datavisual.logs.wire_schema import WireSchema
from mindviz.datavisual.payloads.encoded_audio import audio_type, read_wav
from mindviz.datavisual.payloads.encoded_image import decoded_size, pixel_size
from mindviz.datavisual.payloads.graph_message import graph_content
from mindviz.datavisual.payloads.lineage_message import tensorboard_hparams
from mindviz.datavisual.payloads.mesh_message import mesh_config
from mindviz.datavisual.payloads.packed_tensor import packed, unpacked
from mindviz.datavisual.payloads.paddle_program import program_graph
from mindviz.datavisual.payloads.projector_config import read_configuration
from mindviz.datavisual.payloads.tensor_message import (
    mindspore_tensor,
    tensorflow_strings,
    tensorflow_tensor,
)
from mindviz.datavisual.plugins import generic_names, plugins
from mindviz.datavisual.series.time_series import LoggedGraph
from mindviz.errors import AnswerTooLarge, DamagedValue, NotFound
from mindviz.wire.encode import delimited
from mindviz.wire.fields import Message, read_fields
from mindviz.wire.framing import Framing, unpack_record
from tests.record_streams import Reading, flattened, read
from tests.written_logs import loaded

NBYTES_PER_BYTE = 10
"""Bytes of columns per byte of log: a value of six bytes with its own step takes 48."""
PLUGIN_NAMES = ("", *sorted(generic_names()), "theirs")


@dataclass(frozen=True)
class Target:
    name: str
    run: Callable[[bytes], object]
    framing: Framing | None = None
    """Of logs; None for values."""


def check(data: bytes) -> None:
    """Run the target that an input is for."""
    if data:
        target_of(data).run(data[1:])


def target_of(data: bytes) -> Target:
    """The target that an input is for."""
    return TARGETS[data[0] % len(TARGETS)]


# -------------------------------------------------------------------------------- whole logs


def scan(schema: WireSchema, log: bytes) -> None:
    """Both scanners find the same, in bounded memory, in one go as in pieces."""
    seed = zlib.crc32(log)
    verify_all = bool(seed & 1)
    pieces = Reading(extra=(seed % 7 * 13, 0), sizes=((seed >> 8) % 256 / 256,), takes=True)
    names: tuple[ScannerName, ...] = ("native", "python")
    found = []
    for name in names if scanner_name() == "native" else names[1:]:
        for reading in (Reading(), pieces):
            scanner = make_scanner(schema, "log", verify_all=verify_all, scanner=name)
            results = read(scanner, log, reading)
            found.append((flattened(results), scanner.findings, scanner.stopped))
            held = sum(
                batch.scalars.nbytes + batch.values.nbytes
                for result in results
                for batch in result.batches
            )
            assert held <= NBYTES_PER_BYTE * len(log), f"{held} bytes of {len(log)}"
    assert all(one == found[0] for one in found), "the scanners disagree"


def load(name: str, log: bytes) -> None:
    """A log is loaded, and every plugin shows all of it."""
    with tempfile.TemporaryDirectory(prefix="mindviz-fuzz-") as folder:
        Path(folder, name).write_bytes(log)
        store = loaded(Path(folder), reload_interval=0)
        try:
            for job in store.list_train_jobs():
                store.scalar_summaries(job.train_id)
                store.read_lineage(job.train_id)
                for plugin in plugins().values():
                    for tag in plugin.list_tags(store, job.train_id):
                        try:
                            plugin.view(store, job.train_id, tag, None).whole()
                        except (AnswerTooLarge, DamagedValue, NotFound):
                            continue
        finally:
            store.close()


# --------------------------------------------------------------------------------- one value


def decode(format_name: str, kind: str, data: bytes) -> None:
    """A value of a kind, after a byte that selects the plugin in its metadata."""
    if not data:
        return
    plugin_name = PLUGIN_NAMES[data[0] % len(PLUGIN_NAMES)].encode()
    metadata = delimited(1, delimited(1, plugin_name) + delimited(2, data[1:17]))
    log_format = next(one for one in log_formats() if one.name == format_name)
    series = log_format.classify(kind, "tag", metadata, "name")
    try:
        if log_format.image_size is not None and series and series.plugin_name == "image":
            log_format.image_size(kind, data[1:])
        value = log_format.decode(kind, metadata, data[1:])
        if isinstance(value, LoggedGraph):
            graph_content(value)
        if log_format.lineage is not None and kind in log_format.lineage.kinds:
            log_format.lineage.decode(kind, metadata, data[1:])
    except DamagedValue:
        pass


def payload(function: Callable[[bytes], object], data: bytes) -> None:
    """A function that reads bytes, or raises if they are damaged."""
    with contextlib.suppress(DamagedValue):
        function(data)


def read_message(data: bytes) -> None:
    """Every accessor of every field."""
    message = Message(data, cut_off=bool(data and data[0] & 1))
    for number, _, _ in read_fields(data, cut_off=True):
        message.integer(number)
        message.double(number)
        message.bytes(number)
        for dtype in ("<f4", "<f8", "<u2"):
            payload(lambda _: message.fixed(number, dtype), b"")  # noqa: B023 - called at once
        payload(lambda _: message.varints(number), b"")  # noqa: B023 - as above


def repack(data: bytes) -> None:
    """A tensor from a database is one that can be put there."""
    dtype, shape, content = (*data.split(b";", 2), b"", b"")[:3]
    packed(unpacked(str(dtype, "latin-1"), str(shape, "latin-1"), content))


def read_sound(data: bytes) -> None:
    """A sound of any type, decoded if it is a WAV file."""
    audio_type(data)
    read_wav(data)


SCHEMAS: Mapping[str, WireSchema] = {
    "tensorboard": tensorboard.EVENT,
    "mindspore": mindspore.EVENT,
    "mindspore_lineage": mindspore.LINEAGE_EVENT,
    "visualdl": visualdl.RECORD,
}
FILES: Mapping[str, str] = {
    "tensorboard": "events.out.tfevents.1700000000.host",
    "mindspore": "x.events.summary.1700000000.host",
    "mindspore_lineage": "x.events.summary.1700000000.host_lineage",
    "visualdl": "vdlrecords.1700000000.log",
}
PAYLOADS: Mapping[str, Callable[[bytes], object]] = {
    "tensorflow_tensor": tensorflow_tensor,
    "tensorflow_strings": tensorflow_strings,
    "mindspore_tensor": mindspore_tensor,
    "tensorboard_hparams": tensorboard_hparams,
    "mesh_config": mesh_config,
    "program_graph": program_graph,
    "projector_config": lambda data: read_configuration(str(data, "utf-8", "replace")),
    "pixel_size": pixel_size,
    "decoded_size": decoded_size,
    "sound": read_sound,
    "message": read_message,
    "packed_tensor": repack,
    "tf_record": partial(unpack_record, Framing.TFRECORD),
    "length_prefixed": partial(unpack_record, Framing.LENGTH_PREFIXED),
}

# New targets go to the end: the corpus chooses by position.
TARGETS: tuple[Target, ...] = (
    *(Target(f"scan {name}", partial(scan, one), one.framing) for name, one in SCHEMAS.items()),
    *(
        Target(f"load {name}", partial(load, file), SCHEMAS[name].framing)
        for name, file in FILES.items()
    ),
    *(
        Target(f"decode {name} {kind}", partial(decode, name.split("_")[0], kind))
        for name, schema in SCHEMAS.items()
        for kind in schema.kinds
    ),
    *(Target(name, partial(payload, function)) for name, function in PAYLOADS.items()),
)
