"""The logs that the benchmarks read, written once into `.cache/bench/`.

Values are sines with noise from a fixed seed, so all machines read the same bytes.

    python benchmarks/generated_logs.py [NAME ...]      write them (default all)
"""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from record_bytes import (
    Bytes,
    constant,
    doubles,
    equal_length_steps,
    field,
    floats,
    large_tfrecords,
    length_prefixed,
    message,
    tfrecords,
    varint,
    varint_length,
    varints,
)

from mindviz.summary import SummaryRecord

CACHE = Path(__file__).resolve().parents[1] / ".cache" / "bench"
STARTED = 1_700_000_000.0
"""Wall time of the first step of all logs."""
TENSORBOARD_VERSION = b"brain.Event:2"
MINDSPORE_VERSION = b"MindSpore.Event:1"
_CHUNK_BYTES = 64 << 20


def wave(steps: NDArray[np.int64], tag_number: int) -> NDArray[np.float32]:
    """A realistic training curve, float32."""
    noise = np.random.default_rng(tag_number).standard_normal(len(steps))
    return (np.sin(steps / 500 + tag_number) + 0.1 * noise).astype(np.float32)


def tag_name(number: int) -> bytes:
    """15 bytes, a usual size: `train/loss_0007`."""
    return b"train/loss_%04d" % number


def event(steps: NDArray[np.int64], summary: Bytes, delay: float = 0.0) -> Bytes:
    """Rows {1: wall_time, 2: step, 5: summary}: the record of TensorBoard and MindSpore.

    `delay`: seconds after the step's first event, because writers read the clock for each event.
    """
    count = len(steps)
    return np.concatenate(
        [
            constant(field(1, 1), count),
            doubles(np.asarray(STARTED + delay + steps * 0.5, np.float64)),
            constant(field(2, 0), count),
            varints(steps, varint_length(int(steps[0]))),
            message(5, summary),
        ],
        axis=1,
    )


def tagged_float(tag: bytes, number: int, values: NDArray[np.float32]) -> Bytes:
    """Rows {1: tag, number: float}."""
    head = field(1, 2) + varint(len(tag)) + tag + field(number, 5)
    return np.concatenate([constant(head, len(values)), floats(values)], axis=1)


def rank0_tensor(tag: bytes, values: NDArray[np.float32]) -> Bytes:
    """Rows {1: tag, 8: TensorProto, 9: metadata}, a scalar in the format of TensorFlow 2."""
    head = field(1, 2) + varint(len(tag)) + tag
    content = np.concatenate(
        [constant(b"\x08\x01\x12\x00" + field(4, 2) + b"\x04", len(values)), floats(values)], axis=1
    )
    metadata = field(9, 2) + b"\x0d" + b"\x0a\x09\x0a\x07scalars\x20\x01"
    return np.concatenate(
        [constant(head, len(values)), message(8, content), constant(metadata, len(values))], axis=1
    )


def first_record(version: bytes) -> bytes:
    """The first record of a TensorBoard or MindSpore file."""
    body = (
        field(1, 1) + np.float64(STARTED).tobytes() + field(3, 2) + varint(len(version)) + version
    )
    return bytes(tfrecords(np.frombuffer(body, np.uint8)[None, :]))


def one_value_per_event(
    tags: Sequence[bytes], steps: int, encode: Callable[[bytes, NDArray[np.float32]], Bytes]
) -> Iterator[bytes]:
    """Records step by step, one per tag; all tags must be equally long."""
    for run in equal_length_steps(steps):
        parts = [
            tfrecords(event(run, message(1, encode(tag, wave(run, number))), number * 1e-4))
            for number, tag in enumerate(tags)
        ]
        yield np.stack(parts, axis=1).tobytes()


def all_values_in_one_event(tags: Sequence[bytes], steps: int) -> Iterator[bytes]:
    """Records step by step, each with a value of every tag."""
    for run in equal_length_steps(steps):
        values = [
            message(1, simple_value(tag, wave(run, number))) for number, tag in enumerate(tags)
        ]
        yield tfrecords(event(run, np.concatenate(values, axis=1))).tobytes()


def write_file(path: Path, parts: Iterator[bytes]) -> None:
    """Write the parts consecutively."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        for part in parts:
            file.write(part)


def tensorboard_file(directory: Path, parts: Iterator[bytes]) -> None:
    """A TensorBoard log with these records."""

    def whole() -> Iterator[bytes]:
        yield first_record(TENSORBOARD_VERSION)
        yield from parts

    write_file(directory / "events.out.tfevents.1700000000.bench.1.0", whole())


def mindspore_file(directory: Path, parts: Iterator[bytes]) -> None:
    """A MindSpore log with these records."""

    def whole() -> Iterator[bytes]:
        yield first_record(MINDSPORE_VERSION)
        yield from parts

    write_file(directory / "events.out.events.summary.1700000000.0.bench_MS", whole())


def recorded(directory: Path, clock: Callable[[], float]) -> SummaryRecord:
    """A recorder with a fixed `clock`, which also determines the names of its files."""
    return SummaryRecord(directory, raise_exception=True, flush_seconds=1e6, rank=0, clock=clock)


def simple_value(tag: bytes, values: NDArray[np.float32]) -> Bytes:
    """A TensorBoard scalar in the format of torch and tensorboardX."""
    return tagged_float(tag, 2, values)


def equal_jobs(base: Path, names: Iterable[str], tags: int, steps: int) -> None:
    """Jobs with equal logs, one simple_value per event."""
    every_tag = [tag_name(number) for number in range(tags)]
    whole = b"".join(one_value_per_event(every_tag, steps, simple_value))
    for name in names:
        tensorboard_file(base / name, iter([whole]))


def write_scalars(base: Path) -> None:
    """40 jobs x 20 tags x 5,000 steps, one simple_value per event: 4 million events, 214 MB."""
    equal_jobs(base, (f"run{job:02d}" for job in range(40)), 20, 5000)


def write_wide_events(base: Path) -> None:
    """4 jobs x 1,250 events x 800 values in each: 4 million points."""
    tags = [tag_name(number) for number in range(800)]
    for job in range(4):
        tensorboard_file(base / f"run{job}", all_values_in_one_event(tags, 1250))


def write_many_tags(base: Path) -> None:
    """One job, 10,000 tags x 5 points."""
    equal_jobs(base, ["run"], 10_000, 5)


def write_many_jobs(base: Path) -> None:
    """1,000 jobs x 5 tags x 100 steps: half a million events in small files."""
    equal_jobs(base, (f"group{job // 100}/run{job:03d}" for job in range(1000)), 5, 100)


def write_answers(base: Path) -> None:
    """40 jobs x 5 tags x 1,000 steps."""
    equal_jobs(base, (f"run{job:02d}" for job in range(40)), 5, 1000)


def write_many_charts(base: Path) -> None:
    """40 jobs x 100 tags in 10 groups x 1,000 steps: 4 million points, 220 MB."""
    tags = [b"group%d/loss_%04d" % (number // 10, number) for number in range(100)]
    for job in range(40):
        # Curves must differ, as in a sweep: equal ones would hide each other.
        def encode(tag: bytes, values: NDArray[np.float32], by: float = 0.02 * job) -> Bytes:
            return simple_value(tag, values + np.float32(by))

        tensorboard_file(base / f"run{job:02d}", one_value_per_event(tags, 1000, encode))


def pieces(steps: int, size: int) -> Iterator[NDArray[np.int64]]:
    """This many steps, a few at a time."""
    for start in range(0, steps, size):
        yield from equal_length_steps(start + size, start)


def long_runs() -> Iterator[NDArray[np.int64]]:
    """10 million steps."""
    return pieces(10_000_000, 500_000)


def write_long_series(base: Path) -> None:
    """One job, one tag, 10 million steps: 560 MB."""
    tag = tag_name(0)
    events = (event(run, message(1, simple_value(tag, wave(run, 0)))) for run in long_runs())
    tensorboard_file(base / "run", (tfrecords(one).tobytes() for one in events))


def write_rank0_tensors(base: Path) -> None:
    """8 jobs x 10 tags x 5,000 steps of TensorFlow 2 scalars: 400,000 events."""
    tags = [tag_name(number) for number in range(10)]
    whole = b"".join(one_value_per_event(tags, 5000, rank0_tensor))
    for job in range(8):
        tensorboard_file(base / f"run{job}", iter([whole]))


def write_single_file(base: Path) -> None:
    """One file of 1 GB: 20 tags x 920,000 steps, 18.4 million events."""
    tags = [tag_name(number) for number in range(20)]

    def parts() -> Iterator[bytes]:
        # Whole runs of equal varints would take 54 bytes x 20 x 900,000 at once.
        for run in pieces(920_000, 20_000):
            rows = [
                tfrecords(event(run, message(1, simple_value(tag, wave(run, n))), n * 1e-4))
                for n, tag in enumerate(tags)
            ]
            yield np.stack(rows, axis=1).tobytes()

    tensorboard_file(base / "run", parts())


def picture(size: int) -> bytes:
    """A PNG's signature, then noise up to `size`: an image, for a scanner."""
    head = bytes.fromhex("89504e470d0a1a0a0000000d494844520000010000000100080200000000000000")
    return head + np.random.default_rng(1).bytes(size - len(head))


def image_events(
    count: int, size: int, scalar_tags: Sequence[bytes], scalar_field: int
) -> Iterator[bytes]:
    """Events with one image each, preceded by a scalar of each tag.

    All images have the same noise, because only checksums and file sizes matter.
    """
    encoded = picture(size)
    sizes = b"\x08\x80\x02\x10\x80\x02\x18\x03" + field(4, 2) + varint(len(encoded)) + encoded
    for run in equal_length_steps(count):
        for start in range(0, len(run), 256):
            steps = run[start : start + 256]
            parts = [
                message(1, tagged_float(tag, scalar_field, wave(steps, number)))
                for number, tag in enumerate(scalar_tags)
            ]
            image = field(1, 2) + b"\x06images" + field(4, 2) + varint(len(sizes)) + sizes
            parts.append(message(1, constant(image, len(steps))))
            yield large_tfrecords(event(steps, np.concatenate(parts, axis=1)))


def write_images(base: Path) -> None:
    """One job with 10,000 images of 100 KB, one per event: 1 GB."""
    tensorboard_file(base / "run", image_events(10_000, 100_000, (), 2))


def write_mindspore_images(base: Path) -> None:
    """The same in MindSpore's format, with five scalars in each record before the image: 1 GB."""
    tags = [tag_name(number) for number in range(5)]
    mindspore_file(base / "run", image_events(10_000, 100_000, tags, 3))


def write_mindspore_scalars(base: Path) -> None:
    """400,000 scalars in MindSpore's format: 4 jobs x 10,000 steps, 10 values per record.

    MindSpore and our recorder write one record per step, with all values of the step.
    """
    steps = np.arange(10_000)
    curves = [(tag_name(number).decode(), wave(steps, number).tolist()) for number in range(10)]
    now = STARTED
    with recorded(base / "run0", lambda: now) as record:
        for step in steps.tolist():
            now = STARTED + step * 0.5
            for tag, values in curves:
                record.add_value("scalar", tag, values[step])
            record.record(step)
            if step == 0:
                record.flush()  # the file name contains its time of creation
    for job in range(1, 4):
        shutil.copytree(base / "run0", base / f"run{job}")


def write_visualdl_scalars(base: Path) -> None:
    """400,000 scalars in VisualDL's format: 4 jobs x 10 tags x 10,000 steps."""
    tags = [tag_name(number) for number in range(10)]

    def parts() -> Iterator[bytes]:
        meta = b"\x0a\x18\x12\x0dmeta_data_tag\x18" + varint(int(STARTED * 1000)) + b"\x52\x00"
        yield len(meta).to_bytes(8, "little") + meta
        for run in equal_length_steps(10_000):
            times = (STARTED * 1000 + run * 500).astype(np.int64)
            yield np.stack(
                [visualdl_records(tag, run, times, n) for n, tag in enumerate(tags)], axis=1
            ).tobytes()

    for job in range(4):
        write_file(base / f"run{job}" / "vdlrecords.1700000000.log", parts())


def visualdl_records(
    tag: bytes, steps: NDArray[np.int64], times: NDArray[np.int64], number: int
) -> Bytes:
    """Rows {1: {1: step, 2: tag, 3: milliseconds, 4: float}}."""
    count = len(steps)
    body = [
        constant(field(1, 0), count),
        varints(steps, varint_length(int(steps[0]))),
        constant(field(2, 2) + varint(len(tag)) + tag + field(3, 0), count),
        varints(times, 6),
        constant(field(4, 5), count),
        floats(wave(steps, number)),
    ]
    return length_prefixed(message(1, np.concatenate(body, axis=1)))


@dataclass(frozen=True, slots=True)
class GeneratedLog:
    """A log for a benchmark."""

    write: Callable[[Path], None]
    points: int
    """Number of scalar points."""

    @property
    def description(self) -> str:
        """One line for tables."""
        return (self.write.__doc__ or "").splitlines()[0]


LOGS = {
    "scalars": GeneratedLog(write_scalars, 4_000_000),
    "wide-events": GeneratedLog(write_wide_events, 4_000_000),
    "many-tags": GeneratedLog(write_many_tags, 50_000),
    "many-jobs": GeneratedLog(write_many_jobs, 500_000),
    "answers": GeneratedLog(write_answers, 200_000),
    "many-charts": GeneratedLog(write_many_charts, 4_000_000),
    "long-series": GeneratedLog(write_long_series, 10_000_000),
    "rank0-tensors": GeneratedLog(write_rank0_tensors, 400_000),
    "single-file": GeneratedLog(write_single_file, 18_400_000),
    "images": GeneratedLog(write_images, 0),
    "mindspore-images": GeneratedLog(write_mindspore_images, 50_000),
    "mindspore-scalars": GeneratedLog(write_mindspore_scalars, 400_000),
    "visualdl-scalars": GeneratedLog(write_visualdl_scalars, 400_000),
}


def log_directory(name: str) -> Path:
    """The base dir of a log; written if missing."""
    directory = CACHE / "logs" / name
    if not directory.is_dir():
        started = time.perf_counter()
        unfinished = directory.with_name(name + ".unfinished")
        shutil.rmtree(unfinished, ignore_errors=True)
        LOGS[name].write(unfinished)
        unfinished.rename(directory)
        print(f"wrote {name} in {time.perf_counter() - started:.1f} s", file=sys.stderr, flush=True)
    return directory


def warm(directory: Path) -> int:
    """Read all files to warm the page cache; returns the number of bytes."""
    total = 0
    for path in sorted(directory.rglob("*")):
        if path.is_file():
            with path.open("rb", buffering=0) as file:
                while chunk := file.read(_CHUNK_BYTES):
                    total += len(chunk)
    return total


if __name__ == "__main__":
    for wanted in sys.argv[1:] or LOGS:
        print(wanted, log_directory(wanted), f"{warm(log_directory(wanted)) / 1e6:.1f} MB")
