"""DaskWorkers: imports batches on a Dask cluster; needs the extra `cluster`."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from concurrent.futures import CancelledError
from itertools import islice
from threading import Lock
from types import TracebackType
from typing import Any, Self
from uuid import uuid4

from mindviz.datavisual.sql.run_import import (
    Batch,
    Increments,
    Report,
    RunResult,
    import_batch,
)
from mindviz.errors import ClusterUnavailable, StartError

_LOGGER = logging.getLogger(__name__)

_IN_FLIGHT = 256
"""Batches that the scheduler has at a time: several per worker, and few in its memory."""
_CONNECT_SECONDS = 5


class DaskWorkers:
    """The workers of a scheduler; they may come and go during the import."""

    def __init__(self, address: str) -> None:
        """Raises StartError, ClusterUnavailable."""
        self._distributed = _distributed()
        self._address = address
        self._name = f"mindviz-import-{uuid4().hex}"
        try:
            self._client: Any = self._distributed.Client(
                address, timeout=_CONNECT_SECONDS, set_as_default=False
            )
        except ValueError as error:
            raise StartError(f"--on {address!r}: {error}; write tcp://host:8786.") from None
        except OSError as error:  # also a time-out
            raise self._unavailable() from error
        if not self._client.nthreads():
            _LOGGER.warning("The Dask cluster at %s has no workers; waiting for some.", address)

    def _unavailable(self) -> ClusterUnavailable:
        return ClusterUnavailable(f"The Dask scheduler at {self._address} does not answer.")

    def results(self, batches: Iterator[Batch], report: Report) -> Iterator[RunResult]:
        """As in `Workers`. Dask repeats batches whose worker died."""
        running: dict[str, tuple[Batch, Increments]] = {}
        reporting = Lock()
        completed = self._distributed.as_completed(loop=self._client.loop)

        def submit(batch: Batch) -> None:
            key = f"mindviz-import-{uuid4().hex}"
            running[key] = batch, Increments(report)
            arguments = batch, self._name, key
            completed.add(self._client.submit(_import_on_worker, *arguments, key=key))

        def reported(event: tuple[float, tuple[str, int, int]]) -> None:
            key, nbytes, points = event[1]
            with reporting:
                if key in running:
                    running[key][1](nbytes, points)

        self._client.subscribe_topic(self._name, reported)
        for batch in islice(batches, _IN_FLIGHT):
            submit(batch)
        for future in completed:
            with reporting:
                batch, increments = running.pop(future.key)
            results = self._results(future, batch)
            if results is None:
                for single in batch.repeated():
                    submit(single)
            else:
                yield from results
            with reporting:
                increments(batch.nbytes, 0)
            for following in islice(batches, 1):
                submit(following)

    def _results(self, future: Any, batch: Batch) -> list[RunResult] | None:
        """None if the batch killed workers and should be repeated in parts."""
        try:
            results: list[RunResult] = future.result()
        except self._distributed.KilledWorker as error:
            return batch.failed(f"{error}") if batch.is_repeated else None
        except (CancelledError, OSError) as error:
            raise self._unavailable() from error
        except ImportError as error:
            raise StartError(
                f"The workers of {self._address} need mindviz: pip install "
                f"'mindviz[cluster,cloud,postgresql]' ({error})."
            ) from None
        return results

    def close(self) -> None:
        """Leave the cluster; batches that have not begun are canceled."""
        self._client.close(timeout=_CONNECT_SECONDS)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _distributed() -> Any:
    try:
        import distributed  # noqa: PLC0415 - an extra
    except ImportError:
        raise StartError("--on needs Dask: pip install 'mindviz[cluster]'.") from None
    # Its handlers print tracebacks on stderr; errors are reported here.
    for name in ("distributed", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    return distributed


def _import_on_worker(batch: Batch, topic: str, key: str) -> list[RunResult]:
    from distributed import get_worker  # noqa: PLC0415 - an extra

    worker = get_worker()

    def report(nbytes: int, points: int) -> None:
        worker.log_event(topic, (key, nbytes, points))

    return import_batch(batch, report)
