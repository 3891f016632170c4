"""WritePool: encodes and writes what was recorded, beside the training.

The training thread only hands over. One thread packs scalars and writes; large values (images,
histograms, tensors) are encoded by further ones, whose work (numpy, PNG, checksums) mostly runs
without Python's global lock. Scalars don't wait for the large values of their step.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from mindviz.errors import RecordingFailed
from mindviz.summary.writing.log_names import Log
from mindviz.summary.writing.log_set import LogSet
from mindviz.summary.writing.recorded_step import PooledValue, RecordedStep

_LOGGER = logging.getLogger("mindviz.summary")

MANY_SCALARS = 100_000
"""Scalars that wait: from here on they are written at once, whenever the next flush is due."""

RETRY_SECONDS = 0.25
"""At least this long nothing is tried again that did not work or is not ready."""

WhenFull = Literal["block", "drop"]


@dataclass(frozen=True, slots=True)
class PoolSettings:
    """How a pool works."""

    encode_scalars: Callable[[float, int, Mapping[str, float]], bytes]
    """(wall_time, step, scalars) -> a record's payload."""
    scalars_log: Log
    workers: int = 4
    """Threads that encode large values; they are started when there are any."""
    flush_seconds: float = 2.0
    """Nothing waits longer than this before it is handed to the system; 0: nothing waits."""
    queue_size: int = 256 << 20
    """Bytes of large values that may wait."""
    when_full: WhenFull = "block"
    """`block` the training until there is room, or `drop` the oldest large values."""


@dataclass(slots=True, eq=False)
class _Encoding:
    """A large value on its way through the pool."""

    value: PooledValue
    wall_time: float
    step: int
    payload: bytes | None = None
    finished: bool = False


class WritePool:
    """The threads that write one recording. Every method may be called from any thread.

    A forked child has the same pool with no threads and nothing in it; `open_logs` is called for
    it again, so that it writes files of its own.
    """

    def __init__(self, open_logs: Callable[[], LogSet], settings: PoolSettings) -> None:
        self._open_logs = open_logs
        self._settings = settings
        self._interval = settings.flush_seconds / 2
        self.closed = False
        self.dropped = 0
        """Large values that were lost because too many waited."""
        self.begin()

    def begin(self) -> None:
        """Be as new, in a forked child: threads and locks are the parent's, and so are records."""
        # Re-entrant, because a signal handler may interrupt whatever the main thread does.
        self.lock = threading.RLock()
        self._changed = threading.Condition(self.lock)
        """For the writer, and for those who wait for it."""
        self._work = threading.Condition(self.lock)
        """For those who encode."""
        self.logs = self._open_logs()
        self._writer: threading.Thread | None = None
        self._workers: list[threading.Thread] = []
        self._idle = 0
        """Workers that have nothing to do."""
        self._steps: list[RecordedStep] = []
        self._scalar_count = 0
        self._jobs: deque[_Encoding] = deque()
        """What nobody encodes yet."""
        self._encodings: deque[_Encoding] = deque()
        """What is not written yet, in the order recorded."""
        self._held = 0
        self._hurried = int(self._interval == 0)
        """Who would rather have large values written at once than with many others."""
        self._due: float | None = None
        """When (monotonic) the writer is to write next; None: there is nothing to write."""
        self._asked = self._answered = 0
        """Flushes."""
        self._failure: RecordingFailed | None = None

    # ------------------------------------------------------------------------ who records

    def submit(self, step: RecordedStep) -> bool:
        """Take over what was recorded; whether writing works, as far as is known."""
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
                self._employ()
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
        """Take over one number; `submit`'s answer.

        It becomes part of the record before it, as long as that is not written, of the same step
        and at most `tolerance` seconds older: to encode one of many numbers costs far less.
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
        """Write all that was submitted before; whether that was done within `timeout` seconds."""
        with self.lock:
            if self.closed:
                return True
            self._asked += 1
            ticket = self._asked
            self._due = 0.0
            self._wake_writer()
            return self._wait_for(lambda: self._answered >= ticket, timeout)

    def close(self) -> None:
        """Write everything, and end. Nothing is taken over from then on."""
        with self.lock:
            if self.closed:
                return
            self.closed = True
            self._wake_writer()
            self._work.notify_all()
        if threading.current_thread() not in (self._writer, *self._workers):
            self._end()

    def _end(self) -> None:
        """Wait for the threads; where there are none, do what they would have done."""
        for thread in (*self._workers, self._writer):
            if thread is not None:
                thread.join()
        if self._writer is None:
            self._write(whole=True)
            self.logs.close()

    def take_failure(self) -> RecordingFailed | None:
        """What went wrong since the last call, if anything."""
        with self.lock:
            failure, self._failure = self._failure, None
            return failure

    def _admit(self, value: PooledValue) -> None:
        """Make room for a large value, in the way that was chosen."""

        def fits() -> bool:  # what is larger than the whole queue has to be alone in it
            return not self._held or self._held + value.nbytes <= self._settings.queue_size

        while value.nbytes and not fits():
            if self._settings.when_full == "block" and self.logs.trouble is None:
                self._hurried += 1
                self._due = 0.0
                self._wake_writer()
                self._wait_for(fits, RETRY_SECONDS)
                self._hurried -= 1
            elif not self._drop_oldest():
                break
        self._held += value.nbytes

    def _drop_oldest(self) -> bool:
        """Drop a value that nobody has begun to encode; whether there was one."""
        victim = next((one for one in self._jobs if one.value.droppable), None)
        if victim is None:
            return False
        self._jobs.remove(victim)
        self._encodings.remove(victim)
        self._held -= victim.value.nbytes
        self.dropped += 1
        if self.dropped == 1:
            _LOGGER.warning(
                "More is recorded than can be written: the oldest values that wait are dropped, "
                "beginning with %s of step %d.",
                victim.value.what,
                victim.step,
            )
        return True

    def _wait_for(self, condition: Callable[[], bool], timeout: float | None) -> bool:
        """Wait until the writer has done something; without one, do it here."""
        if self._writer is None:
            self._write(whole=True)
            return True
        return self._changed.wait_for(condition, timeout)

    # ---------------------------------------------------------------------------- threads

    def _wake_writer(self) -> None:
        if self._writer is None:
            self._writer = _started(self._write_forever, "mindviz-writer")
        self._changed.notify_all()

    def _employ(self) -> None:
        """Let somebody encode; if all are busy, one more."""
        if len(self._jobs) > self._idle and len(self._workers) < self._settings.workers:
            worker = _started(self._encode_forever, f"mindviz-encoder-{len(self._workers)}")
            self._workers += [worker] if worker else []
        self._work.notify()

    def _encode_forever(self) -> None:
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
        except Exception as error:  # noqa: BLE001 - one value must not end the thread of all
            self._fail(encoding.value.what, encoding.step, error)
        with self.lock:
            encoding.finished = True
            if self._hurried:
                self._due = 0.0
            self._changed.notify_all()

    def _fail(self, what: str, step: int | None, error: Exception) -> None:
        place = "" if step is None else f" of step {step}"
        failure = RecordingFailed(f"{what}{place} could not be recorded: {error!r}.")
        _LOGGER.error("%s", failure, exc_info=error)
        with self.lock:
            self._failure = failure

    def _write_forever(self) -> None:
        while True:
            with self.lock:
                self._wait_until_due()
                asked, closed = self._asked, self.closed
                whole = closed or asked > self._answered
                self._due = None  # whoever submits something meanwhile sets it again
            try:
                self._write(whole=whole)
            except Exception as error:  # noqa: BLE001 - or whoever flushes would wait for ever
                self._fail("Something", None, error)
            with self.lock:
                self._answered = asked
                self._come_back()
                self._changed.notify_all()
            if closed:
                self.logs.close()
                return

    def _come_back(self) -> None:
        """See to it that what could not be written yet is tried again."""
        if self._due is None and (self._encodings or self.logs.trouble):
            self._due = time.monotonic() + max(self._interval, RETRY_SECONDS)

    def _wait_until_due(self) -> None:
        while not self.closed:
            left = None if self._due is None else self._due - time.monotonic()
            if left is not None and left <= 0:
                return
            self._changed.wait(left)

    def _write(self, *, whole: bool) -> None:
        """Write what is ready, or all there is. By one thread at a time: the writer, if any."""
        with self.lock:
            steps, self._steps = self._steps, []
            self._scalar_count = 0
        settings = self._settings
        for one in steps:
            try:
                payload = settings.encode_scalars(one.wall_time, one.step, one.scalars)
            except Exception as error:  # noqa: BLE001 - as above
                self._fail("The scalars", one.step, error)
                continue
            self.logs.add(settings.scalars_log, payload, droppable=False)
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
        """The next large value to write; with `whole` wait for it, or encode it here."""
        with self.lock:
            if not self._encodings:
                return None
            encoding = self._encodings[0]
            mine = whole and encoding in self._jobs
            if mine:
                self._jobs.remove(encoding)
        if mine:
            self._encode(encoding)
        with self.lock:
            while whole and not encoding.finished:
                self._changed.wait()
            if not encoding.finished:
                return None
            return self._encodings.popleft()


def _started(run: Callable[[], None], name: str) -> threading.Thread | None:
    """A new thread; None when the interpreter is about to end and starts no more of them."""
    # A daemon: the interpreter does not wait for it, closing the pool at exit does.
    thread = threading.Thread(target=run, name=name, daemon=True)
    try:
        thread.start()
    except RuntimeError:
        return None
    return thread
