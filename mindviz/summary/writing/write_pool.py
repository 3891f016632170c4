"""WritePool: encodes and writes recorded values in background threads.

The training thread only appends to a queue. One writer thread packs scalars and writes. Worker
threads encode large values (images, histograms, tensors); numpy, PNG compression and checksums
mostly release the GIL. Scalars don't wait for the large values of their step.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from mindviz.errors import RecordingFailed
from mindviz.summary.writing.log_set import LogSet
from mindviz.summary.writing.recorded_step import Log, PooledValue, RecordedStep

_LOGGER = logging.getLogger("mindviz.summary")

MANY_SCALARS = 100_000
"""Number of queued scalars that triggers a write before the next flush is due."""

RETRY_SECONDS = 0.25
"""Minimum delay before a failed or unfinished write is retried."""

WhenFull = Literal["block", "drop"]


@dataclass(slots=True, eq=False)
class _Encoding:
    value: PooledValue
    wall_time: float
    step: int
    payload: bytes | None = None
    finished: bool = False


@dataclass(eq=False)
class WritePool:
    """The threads that write one recording. Thread-safe.

    In a forked child the pool starts empty, and `open_logs` is called again, so that the child
    writes separate files.
    """

    open_logs: Callable[[], LogSet]
    encode_scalars: Callable[[float, int, Mapping[str, float]], bytes]
    """(wall_time, step, scalars) -> a record's payload."""
    scalars_log: Log
    workers: int = 4
    """Maximum number of threads that encode large values; started on demand."""
    flush_seconds: float = 2.0
    """Maximum delay before a record is written."""
    queue_size: int = 256 << 20
    """Maximum bytes of queued large values."""
    when_full: WhenFull = "block"
    """`block` the training until there is room, or `drop` the oldest large values."""
    closed: bool = field(default=False, init=False)
    dropped: int = field(default=0, init=False)
    """Large values dropped because the queue was full."""

    def __post_init__(self) -> None:
        self._interval = self.flush_seconds / 2
        self.reset()

    def reset(self) -> None:
        """Set the initial state; also in a forked child, where the threads don't exist."""
        # Reentrant, because the SIGTERM handler may interrupt the main thread inside it.
        self.lock = threading.RLock()
        self._changed = threading.Condition(self.lock)
        """Wakes the writer, and threads that wait for it."""
        self._work = threading.Condition(self.lock)
        """Wakes workers."""
        self.logs = self.open_logs()
        self._writer: threading.Thread | None = None
        self._workers: list[threading.Thread] = []
        self._idle = 0
        """Number of idle workers."""
        self._steps: list[RecordedStep] = []
        self._scalar_count = 0
        self._jobs: deque[_Encoding] = deque()
        """Large values that no worker has taken yet."""
        self._encodings: deque[_Encoding] = deque()
        """Large values that are not written yet, in recording order."""
        self._held = 0
        """Bytes of the large values in the queue."""
        self._urgent = int(self._interval == 0)
        """Number of reasons to write each large value as soon as it is encoded."""
        self._due: float | None = None
        """Monotonic time of the next write; None if there is nothing to write."""
        self._flushes_requested = self._flushes_done = 0
        self._failure: RecordingFailed | None = None

    # --------------------------------------------------------------------- recording threads

    def submit(self, step: RecordedStep) -> bool:
        """Queue a step. Returns False if the pool is closed or the latest write failed."""
        with self.lock:
            if self.closed:
                return False
            for value in step.values:
                self._admit(value)
                encoding = _Encoding(value, step.wall_time, step.step)
                self._encodings.append(encoding)
                self._jobs.append(encoding)
            if step.scalars:
                self._steps.append(step)
                self._scalar_count += len(step.scalars)
            if step.values:
                self._wake_worker()
            if self._due is None:
                self._due = time.monotonic() + self._interval
                self._wake_writer()
            elif self._scalar_count > MANY_SCALARS and self._due:
                self._due = 0.0
                self._wake_writer()
            return self.logs.trouble is None

    def submit_scalar(
        self, wall_time: float, step: int, tag: str, value: float, tolerance: float
    ) -> bool:
        """Queue a scalar; returns what `submit` returns.

        It joins the previous record if that is still queued, of the same step and at most
        `tolerance` seconds older: encoding many scalars as one record is far cheaper.
        """
        with self.lock:
            if self._steps and not self.closed:
                last = self._steps[-1]
                is_near = last.step == step and 0 <= wall_time - last.wall_time <= tolerance
                if is_near and tag not in last.scalars:
                    last.scalars[tag] = value
                    self._scalar_count += 1
                    return self.logs.trouble is None
            return self.submit(RecordedStep(wall_time, step, {tag: value}))

    def flush(self, timeout: float | None = None) -> bool:
        """Write everything submitted so far; returns whether it finished within `timeout` s."""
        with self.lock:
            if self.closed:
                return True
            self._flushes_requested += 1
            ticket = self._flushes_requested
            self._due = 0.0
            self._wake_writer()
            return self._wait_for(lambda: self._flushes_done >= ticket, timeout)

    def close(self) -> None:
        """Write everything and stop the threads; later values are rejected."""
        with self.lock:
            if self.closed:
                return
            self.closed = True
            self._wake_writer()
            self._work.notify_all()
        if threading.current_thread() not in (self._writer, *self._workers):
            self._join()

    def _join(self) -> None:
        """Wait for the threads; without a writer thread, write here."""
        for thread in (*self._workers, self._writer):
            if thread is not None:
                thread.join()
        if self._writer is None:
            self._write(whole=True)
            self.logs.close()

    def take_failure(self) -> RecordingFailed | None:
        """The error since the last call, if any."""
        with self.lock:
            failure, self._failure = self._failure, None
            return failure

    def _admit(self, value: PooledValue) -> None:
        """Make room for a large value, by blocking or dropping."""

        def fits() -> bool:  # a value larger than the queue fits into an empty one
            return not self._held or self._held + value.nbytes <= self.queue_size

        while value.nbytes and not fits():
            if self.when_full == "block" and self.logs.trouble is None:
                self._urgent += 1
                self._due = 0.0
                self._wake_writer()
                self._wait_for(fits, RETRY_SECONDS)
                self._urgent -= 1
            elif not self._drop_oldest():
                break
        self._held += value.nbytes

    def _drop_oldest(self) -> bool:
        """Drop the oldest value that no worker has taken; returns False if there is none."""
        victim = next((job for job in self._jobs if job.value.droppable), None)
        if victim is None:
            return False
        self._jobs.remove(victim)
        self._encodings.remove(victim)
        self._held -= victim.value.nbytes
        self.dropped += 1
        if self.dropped == 1:
            _LOGGER.warning(
                "The write queue is full: dropping the oldest values, starting with %s of step %d. "
                "Record less often or increase queue_size.",
                victim.value.what,
                victim.step,
            )
        return True

    def _wait_for(self, condition: Callable[[], bool], timeout: float | None) -> bool:
        """Wait for the writer thread; without one, write here."""
        if self._writer is None:
            self._write(whole=True)
            return True
        return self._changed.wait_for(condition, timeout)

    # ---------------------------------------------------------------------------- threads

    def _wake_writer(self) -> None:
        if self._writer is None:
            self._writer = _start_thread(self._run_writer, "mindviz-writer")
        self._changed.notify_all()

    def _wake_worker(self) -> None:
        if len(self._jobs) > self._idle and len(self._workers) < self.workers:
            worker = _start_thread(self._run_worker, f"mindviz-encoder-{len(self._workers)}")
            self._workers += [worker] if worker else []
        self._work.notify()

    def _run_worker(self) -> None:
        while True:
            with self.lock:
                self._idle += 1
                while not self._jobs and not self.closed:
                    self._work.wait()
                self._idle -= 1
                if not self._jobs:
                    return
                encoding = self._jobs.popleft()
            self._encode(encoding)

    def _encode(self, encoding: _Encoding) -> None:
        try:
            encoding.payload = encoding.value.encode(encoding.wall_time, encoding.step)
        except Exception as error:  # noqa: BLE001 - a bad value must not end the thread
            self._fail(encoding.value.what, encoding.step, error)
        with self.lock:
            encoding.finished = True
            if self._urgent:
                self._due = 0.0
            self._changed.notify_all()

    def _fail(self, what: str, step: int | None, error: Exception) -> None:
        place = "" if step is None else f" of step {step}"
        failure = RecordingFailed(f"Cannot record {what}{place}: {error!r}.")
        _LOGGER.error("%s", failure, exc_info=error)
        with self.lock:
            self._failure = failure

    def _run_writer(self) -> None:
        while True:
            with self.lock:
                self._wait_until_due()
                requested, closed = self._flushes_requested, self.closed
                whole = closed or requested > self._flushes_done
                self._due = None  # `submit` sets it for values that arrive from here on
            try:
                self._write(whole=whole)
            except Exception as error:  # noqa: BLE001 - or `flush` would wait forever
                self._fail("values", None, error)
            with self.lock:
                self._flushes_done = requested
                self._schedule_retry()
                self._changed.notify_all()
            if closed:
                self.logs.close()
                return

    def _schedule_retry(self) -> None:
        if self._due is None and (self._encodings or self.logs.trouble):
            self._due = time.monotonic() + max(self._interval, RETRY_SECONDS)

    def _wait_until_due(self) -> None:
        while not self.closed:
            left = None if self._due is None else self._due - time.monotonic()
            if left is not None and left <= 0:
                return
            self._changed.wait(left)

    def _write(self, *, whole: bool) -> None:
        """Write what is encoded, or with `whole` everything. Never called concurrently."""
        with self.lock:
            steps, self._steps = self._steps, []
            self._scalar_count = 0
        for step in steps:
            try:
                payload = self.encode_scalars(step.wall_time, step.step, step.scalars)
            except Exception as error:  # noqa: BLE001 - as above
                self._fail("the scalars", step.step, error)
                continue
            self.logs.add(self.scalars_log, payload, droppable=False)
        self._write_logs()
        while (encoding := self._next_finished(whole=whole)) is not None:
            if encoding.payload is not None:
                droppable = encoding.value.droppable
                self.logs.add(encoding.value.log, encoding.payload, droppable=droppable)
                self._write_logs()
            with self.lock:
                self._held -= encoding.value.nbytes
                self._changed.notify_all()

    def _write_logs(self) -> None:
        before = self.logs.trouble
        self.logs.write()
        if self.logs.trouble is not None and before is None:
            with self.lock:
                self._failure = self.logs.trouble

    def _next_finished(self, *, whole: bool) -> _Encoding | None:
        """The next large value to write; with `whole`, wait for it or encode it here."""
        with self.lock:
            if not self._encodings:
                return None
            encoding = self._encodings[0]
            encode_here = whole and encoding in self._jobs
            if encode_here:
                self._jobs.remove(encoding)
        if encode_here:
            self._encode(encoding)
        with self.lock:
            while whole and not encoding.finished:
                self._changed.wait()
            if not encoding.finished:
                return None
            return self._encodings.popleft()


def _start_thread(run: Callable[[], None], name: str) -> threading.Thread | None:
    """A new thread; None if the interpreter is shutting down."""
    # A daemon, because the interpreter joins other threads before it closes the pool.
    thread = threading.Thread(target=run, name=name, daemon=True)
    try:
        thread.start()
    except RuntimeError:
        return None
    return thread
