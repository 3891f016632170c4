"""LogSource: opens a base dir, a database or a server."""

from __future__ import annotations

import shlex
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from threading import TIMEOUT_MAX
from typing import NamedTuple
from urllib.parse import urlencode, urljoin

from mindviz import __version__
from mindviz.asking.answer import DEFAULT_TOKENS, TEXT, Cut, Form, Place
from mindviz.asking.answers import answer
from mindviz.asking.known_runs import PATIENCE, KnownRuns
from mindviz.client.http_provider import HttpProvider
from mindviz.client.served_series import ServedSeries
from mindviz.client.server import Server
from mindviz.client.server_answers import ServerAnswers
from mindviz.config import default_workspace, reading_config
from mindviz.datavisual.answer_bounds import AnswerBounds
from mindviz.datavisual.generic.data_provider import DataProvider, StoreProvider
from mindviz.datavisual.health.log_health import LogHealth
from mindviz.datavisual.health.rules_file import read_rules
from mindviz.datavisual.logs.formats import log_formats
from mindviz.datavisual.logs.log_store import LogStore
from mindviz.datavisual.store import LoadStatus, Store
from mindviz.errors import CannotOpen, ServerUnavailable, TokenRequired
from mindviz.export.lineage_columns import lineage_json
from mindviz.gc_control import gc_paused
from mindviz.lineagemgr.annotations import Annotations
from mindviz.lineagemgr.lineage_table import Lineages
from mindviz.lineagemgr.run_series import RunSeries, StoredSeries
from mindviz.stored_lists.lists_of import run_lists

_POLL_INTERVAL = 0.1
"""Seconds between status requests to a loading server."""
_PATIENCE = 60.0


class LogSource(ABC):
    """One open experiment."""

    location: str
    """A path, or a URL without passwords."""
    place: Place
    """Where the page that shows an answer is."""
    provider: DataProvider

    @abstractmethod
    def lineage(self, tags: Sequence[str], patterns: Sequence[str]) -> bytes:
        """As `lineage_json`."""

    @abstractmethod
    def run(self, train_id: str) -> RunSeries:
        """The series of a train job. Raises TrainJobNotFound."""

    @abstractmethod
    def answer(
        self, question: str, cursor: int = 0, max_tokens: int = DEFAULT_TOKENS, form: Form = TEXT
    ) -> str:
        """The answer to a question. Raises as `mindviz.asking.answers.answer`."""

    def prepare(self) -> None:  # noqa: B027 -- for sources that have something to prepare
        """Compute what lists of runs need, and have runs checked in the background.

        Before the first question. Answers then say how many runs are checked so far.
        """

    @abstractmethod
    def refresh(self) -> None:
        """Read what is new, then return."""

    @abstractmethod
    def close(self) -> None:
        """Free threads and connections."""


class StoreSource(LogSource):
    """An experiment that this process reads."""

    annotations: Annotations | None = None
    """Notes about the runs, for answers; set before the first one."""
    experiment_id = ""
    patience = TIMEOUT_MAX
    """Seconds that answers wait for the check of runs; set before the first one."""
    _store: Store
    _lineages: Lineages

    def lineage(self, tags: Sequence[str], patterns: Sequence[str]) -> bytes:
        return lineage_json(self._store, self._lineages, tags, patterns)

    def answer(
        self, question: str, cursor: int = 0, max_tokens: int = DEFAULT_TOKENS, form: Form = TEXT
    ) -> str:
        return answer(self._runs, question, Cut(cursor, max_tokens, form, self.place))

    def prepare(self) -> None:
        self.patience = PATIENCE
        self._runs.lists.prepare()
        self._runs.health.check()

    @cached_property
    def _runs(self) -> KnownRuns:
        health = LogHealth(self._store, read_rules(None, self.base_dir))
        lists = run_lists(self._store, self._lineages, health.run_events)
        return KnownRuns(self._store, lists, self.annotations, health, self.patience)

    @property
    def store(self) -> Store:
        """The data of the experiment."""
        return self._store

    @property
    def base_dir(self) -> Path | str | None:
        """The directory or URL of objects; None for databases."""
        return None

    def run(self, train_id: str) -> RunSeries:
        self._store.train_job(train_id)
        return StoredSeries(self._store, train_id)


class DirectorySource(StoreSource):
    """The logs below a directory or the URL of objects, loaded by this process."""

    def __init__(
        self, directory: Path | str, *, max_tensor_bytes: int, cache: Path | None = None
    ) -> None:
        """Load all logs, with the cache of the workspace `cache`; None for no cache.

        Raises CannotOpen if there are none.
        """
        self.location = str(directory)
        self.place = Place(start=f"mindviz start {shlex.quote(self.location)}")
        self._directory = directory
        # New data is read by `refresh` only.
        config = reading_config(
            directory,
            cache or default_workspace(),
            version=__version__,
            cached=cache is not None,
        )
        self._store: LogStore = LogStore(config)
        self._lineages = Lineages(self._store)
        self.provider = StoreProvider.of(self._store, bounds=_own_memory(max_tensor_bytes))
        with gc_paused():
            self._store.start()
            self._store.wait_until_loaded(TIMEOUT_MAX)
        if not self._store.list_train_jobs():
            problems = [f"{item.path}: {item.detail}" for item in self._store.status().problems]
            self.close()
            names = ", ".join(form.usual_names for form in log_formats())
            raise CannotOpen(
                " ".join([f"There are no logs in {str(directory)!r} ({names}).", *problems[:3]])
            )

    @property
    def base_dir(self) -> Path | str:
        return self._directory

    def refresh(self) -> None:
        with gc_paused():
            self._store.refresh()

    def close(self) -> None:
        self._store.close()


class DatabaseSource(StoreSource):
    """One experiment of a database."""

    def __init__(self, url: str, experiment_id: str, *, max_tensor_bytes: int) -> None:
        """Raises StartError, ExperimentNotFound, DatabaseUnavailable."""
        # Imported late, because SQLAlchemy is slow to import.
        from mindviz.datavisual.sql.database import Database  # noqa: PLC0415
        from mindviz.datavisual.sql.sql_store import SqlStore  # noqa: PLC0415

        self.database = Database(url)
        self.experiment_id = experiment_id
        self.database.check()
        self.location = self.database.shown
        self.place = Place(start=f"mindviz start --db {shlex.quote(self.location)}")
        self._store: SqlStore = SqlStore(self.database, experiment_id)
        self._lineages = Lineages(self._store)
        bounds = _own_memory(max_tensor_bytes)
        self.provider = StoreProvider.of(self._store, experiment_id, bounds)
        self.refresh()

    def refresh(self) -> None:
        self._store.refresh()

    def close(self) -> None:
        self.database.close()


class ServerSource(LogSource):
    """The experiment that a server shows."""

    def __init__(
        self, url: str, experiment_id: str, token: str = "", *, patience: float = _PATIENCE
    ) -> None:
        """Returns once the server has loaded everything. Raises CannotOpen.

        `patience`: seconds without progress, for example while its database is unavailable.
        """
        self._patience = patience
        self.server = Server(url, token)
        try:
            if experiment_id:
                self.server = Server(_page_of(self.server, experiment_id), token)
            self.refresh()
        except TokenRequired as error:
            raise CannotOpen(str(error)) from None
        except ServerUnavailable as error:
            raise CannotOpen(f"No mindviz server found: {error}") from None
        self.location = self.server.url
        self.place = Place(url=self.location)
        self.provider = HttpProvider(self.server)

    @property
    def answers(self) -> ServerAnswers:
        """Answers of all routes of the server."""
        return ServerAnswers(self.server)

    def lineage(self, tags: Sequence[str], patterns: Sequence[str]) -> bytes:
        query = urlencode({"tag": tags, "tag_pattern": patterns}, doseq=True)
        return self.server.send(f"data/lineage?{query}").content

    def run(self, train_id: str) -> RunSeries:
        return ServedSeries(self.server, self.provider, train_id)

    def answer(
        self, question: str, cursor: int = 0, max_tokens: int = DEFAULT_TOKENS, form: Form = TEXT
    ) -> str:
        body = {
            "question": question,
            "cursor": cursor,
            "max_tokens": max_tokens,
            "format": form,
            "page": self.place.url,
        }
        return self.server.send("ask", body).content.decode()

    def refresh(self) -> None:
        """Also raises ServerUnavailable if loading makes no progress."""
        seen, since = _Progress(LoadStatus.INIT, -1, -1), time.monotonic()
        while (now := _progress(self.server)).load_status != LoadStatus.LOADED:
            if now != seen:
                seen, since = now, time.monotonic()
            elif time.monotonic() - since > self._patience:
                raise ServerUnavailable(
                    f"{self.server.url} made no loading progress for {self._patience:.0f} s."
                )
            time.sleep(_POLL_INTERVAL)

    def close(self) -> None:
        pass  # each request has its own connection


def _own_memory(max_tensor_bytes: int) -> AnswerBounds:
    """No bounds but the one for tensors: the caller's process needs no protection."""
    return AnswerBounds(points=sys.maxsize, bytes=sys.maxsize, tensor_bytes=max_tensor_bytes)


class _Progress(NamedTuple):
    """Loading progress of a server."""

    load_status: str
    train_jobs: int
    bytes_read: int


def _progress(server: Server) -> _Progress:
    status = server.get_json("status", {})
    try:
        return _Progress(*(status[name] for name in _Progress._fields))
    except (KeyError, TypeError):
        raise ServerUnavailable(f"{server.url} is not a mindviz server.") from None


def _page_of(server: Server, experiment_id: str) -> str:
    listed = server.get_json("experiments", {})["experiments"]
    urls = {item["name"]: item["url"] for item in listed}
    if experiment_id not in urls:
        there = ", ".join(repr(name) for name in urls)
        raise CannotOpen(f"{server.url} has no experiment {experiment_id!r}, but {there}.")
    return urljoin(server.url, str(urls[experiment_id]))
