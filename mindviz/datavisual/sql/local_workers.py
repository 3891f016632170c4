"""LocalWorkers: imports batches in this process, or in several processes of this machine."""

from __future__ import annotations

import multiprocessing
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from types import TracebackType
from typing import Self

from mindviz.datavisual.sql.run_import import (
    Batch,
    Increments,
    Report,
    RunResult,
    import_batch,
)
from mindviz.errors import MindvizError

_Message = tuple[int, int] | list[RunResult] | MindvizError
"""What was read so far, the results, or an error."""


class LocalWorkers:
    """Worker processes; with none, this process imports."""

    def __init__(self, processes: int) -> None:
        self._workers: dict[Connection, SpawnProcess] = {}
        for _ in range(processes):
            self._start()

    def _start(self) -> Connection:
        # Not forked, because children must not share threads and database connections.
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        process = context.Process(
            target=_import_all, args=(theirs,), name="mindviz-import", daemon=True
        )
        process.start()
        theirs.close()
        self._workers[ours] = process
        return ours

    def results(self, batches: Iterator[Batch], report: Report) -> Iterator[RunResult]:
        """As in `Workers`. A process that dies is replaced, and its runs are imported once more."""
        if not self._workers:
            for batch in batches:
                yield from import_batch(batch, Increments(report))
            return
        idle = list(self._workers)
        busy: dict[Connection, tuple[Batch, Increments]] = {}
        repeated: deque[Batch] = deque()
        while True:
            while idle and (assigned := repeated.popleft() if repeated else next(batches, None)):
                connection = idle.pop()
                busy[connection] = assigned, Increments(report)
                with suppress(OSError):  # of a dead process, which reading notices
                    connection.send(assigned)
            if not busy:
                return
            for ready in wait(list(busy)):
                assert isinstance(ready, Connection)
                batch, increments = busy[ready]
                message = self._received(ready)
                if isinstance(message, tuple):
                    increments(*message)
                    continue
                del busy[ready]
                idle.append(ready if ready in self._workers else self._start())
                if isinstance(message, list):
                    yield from message
                elif batch.is_repeated:
                    yield from batch.failed(message)
                else:
                    repeated += batch.repeated()

    def _received(self, connection: Connection) -> tuple[int, int] | list[RunResult] | str:
        """What was read so far, the results, or how the process ended. Raises its MindvizError."""
        try:
            message: _Message = connection.recv()
        except (EOFError, OSError):
            process = self._workers.pop(connection)
            connection.close()
            process.join()
            return f"the process that imported it ended (exit code {process.exitcode})"
        if isinstance(message, MindvizError):
            raise message
        return message

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for connection, process in self._workers.items():
            connection.close()
            process.terminate()  # it may be importing
            process.join()


def _import_all(connection: Connection) -> None:
    def report(nbytes: int, points: int) -> None:
        connection.send((nbytes, points))

    while True:
        try:
            batch = connection.recv()
            try:
                connection.send(import_batch(batch, report))
            except MindvizError as error:
                connection.send(error)
        except (EOFError, BrokenPipeError, ConnectionResetError, KeyboardInterrupt):
            return
