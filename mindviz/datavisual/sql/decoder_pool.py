"""DecoderPool: decodes train jobs in separate processes, while this process stores them."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from types import TracebackType
from typing import Self

from mindviz.datavisual.sql.decoded_job import DecodedJob, Task
from mindviz.datavisual.sql.records import Finished, Piece
from mindviz.errors import LogUnreadable


@dataclass(frozen=True, slots=True)
class Failed:
    """A train job that could not be decoded."""

    reason: str


Part = Piece | Finished | Failed


def parts_of(task: Task) -> Iterator[Part]:
    """The parts of a train job; the last one may be a `Failed`."""
    try:
        yield from DecodedJob(task).pieces()
    except LogUnreadable as error:
        yield Failed(str(error))
    except Exception as error:  # noqa: BLE001 - an error in one log must not stop others
        yield Failed(f"{type(error).__name__}: {error}")


class DecoderPool:
    """Decoding processes; with none, this process decodes."""

    def __init__(self, processes: int) -> None:
        self._workers: dict[Connection, SpawnProcess] = {}
        # Not forked, because children must not share threads and database connections.
        context = multiprocessing.get_context("spawn")
        for number in range(processes):
            ours, theirs = context.Pipe()
            process = context.Process(
                target=_decode_all, args=(theirs,), name=f"mindviz-decoder-{number}", daemon=True
            )
            process.start()
            theirs.close()
            self._workers[ours] = process

    def parts(self, tasks: Iterator[Task]) -> Iterator[tuple[str, Part]]:
        """The parts of all tasks with their train_ids; the parts of a task are in order.

        Memory does not grow with the number of tasks: each process has one task, and waits until
        its last part was taken.
        """
        if not self._workers:
            for task in tasks:
                for part in parts_of(task):
                    yield task.train_id, part
            return
        busy: dict[Connection, str] = {}
        idle = list(self._workers)
        while True:
            while idle and (assigned := next(tasks, None)) is not None:
                connection = idle.pop()
                busy[connection] = assigned.train_id
                connection.send(assigned)
            if not busy:
                return
            for ready in wait(list(busy)):
                assert isinstance(ready, Connection)
                part = self._received(ready)
                yield busy[ready], part
                if not isinstance(part, Piece):
                    del busy[ready]
                    if ready in self._workers:
                        idle.append(ready)

    def _received(self, connection: Connection) -> Part:
        try:
            part: Part = connection.recv()
        except (EOFError, OSError):
            process = self._workers.pop(connection)
            process.join()
            return Failed(f"the process that read it ended (exit code {process.exitcode})")
        return part

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
            process.terminate()  # it may be decoding
            process.join()


def _decode_all(connection: Connection) -> None:
    while True:
        try:
            task = connection.recv()
            for part in parts_of(task):
                connection.send(part)
        except (EOFError, BrokenPipeError, ConnectionResetError, KeyboardInterrupt):
            return
