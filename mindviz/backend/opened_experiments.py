"""OpenedExperiments: opens all experiments of a config, and closes them.

Slow imports are late, so that the scan starts early; SQLAlchemy is only imported for databases.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Self

from mindviz.config import Config, ExperimentSource
from mindviz.errors import DatabaseUnavailable

if TYPE_CHECKING:
    from mindviz.datavisual.experiments import Experiments, ServedExperiment
    from mindviz.datavisual.logs.log_store import LogStore
    from mindviz.datavisual.sql.database import Database
    from mindviz.datavisual.sql.sql_store import SqlStore

    Mount = Callable[[ExperimentSource, ServedExperiment], None]
    """Serves an experiment at its path."""

_LOGGER = logging.getLogger(__name__)


class OpenedExperiments:
    """All experiments of a config; the only owner of their stores."""

    def __init__(self, config: Config) -> None:
        """Opens them. Raises StartError."""
        self._config = config
        self._at_end = ExitStack()
        self._databases: dict[str, Database] = {}
        self._opened = [self._open(config.of(source)) for source in config.sources]
        self._closed = threading.Event()

    def _open(self, config: Config) -> LogStore | SqlStore:
        (source,) = config.sources
        if source.base_dir is not None:
            from mindviz.datavisual.logs.log_store import LogStore  # noqa: PLC0415

            return LogStore(config)
        from mindviz.datavisual.sql.sql_store import SqlStore  # noqa: PLC0415

        return SqlStore(
            self._database(str(source.location)),
            source.experiment_id,
            reload_interval=config.reload_interval,
            max_memory=config.max_memory,
            is_expected=not source.experiment_id,
            scratch_folder=config.workspace,
        )

    def _database(self, url: str) -> Database:
        from mindviz.datavisual.sql.database import Database  # noqa: PLC0415

        if url not in self._databases:
            self._databases[url] = Database(url)
            self._at_end.callback(self._databases[url].close)
        return self._databases[url]

    def __enter__(self) -> Self:
        for store in self._opened:
            self._at_end.callback(store.close)
            store.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._at_end.close()

    def wait_until_loaded(self, timeout: float) -> None:
        """Return when the initial data is loaded, or after the timeout in seconds."""
        end = time.monotonic() + timeout
        for store in self._opened:
            store.wait_until_loaded(max(0.0, end - time.monotonic()))

    @cached_property
    def experiments(self) -> Experiments:
        """The experiments by id, including later ones."""
        from mindviz.datavisual.experiments import Experiments, ServedExperiment  # noqa: PLC0415

        names = (source.experiment_id for source in self._config.sources)
        return Experiments(
            [ServedExperiment(*pair) for pair in zip(names, self._opened, strict=True)]
        )

    def follow(self, mount: Mount) -> None:
        """Start to watch the config's database for new experiments."""
        if not (self._config.database and self._config.reload_interval):
            return
        thread = threading.Thread(
            target=self._follow, args=(mount,), name="mindviz-experiments", daemon=True
        )
        self._at_end.callback(thread.join)
        self._at_end.callback(self._closed.set)
        thread.start()

    def _follow(self, mount: Mount) -> None:
        from mindviz.datavisual.sql.stored_jobs import experiment_names  # noqa: PLC0415

        config = self._config
        database = self._database(config.database)
        known = {item.experiment_id for item in config.sources if item.location == config.database}
        while not self._closed.wait(config.reload_interval):
            try:
                with database.reading() as connection:
                    names = experiment_names(connection)
            except DatabaseUnavailable:
                continue  # reported by the status of its experiments
            for name in names:
                if name in known:
                    continue
                known.add(name)
                try:
                    self._add(name, mount)
                except Exception:  # otherwise the thread would end
                    _LOGGER.exception("Experiment %r of the database cannot be shown", name)

    def _add(self, name: str, mount: Mount) -> None:
        from mindviz.datavisual.experiments import ServedExperiment  # noqa: PLC0415

        experiments = self.experiments
        if name in {experiment.experiment_id for experiment in experiments}:
            _LOGGER.warning(
                "Experiment %r of the database is not shown: its name is already in use.", name
            )
            return
        source = ExperimentSource(name, self._config.database)
        config = self._config.of(source)
        is_empty = self._config.sources[0].location == self._config.database
        # The placeholder for the first import into the database has no name.
        is_first = is_empty and not experiments.first.experiment_id
        others = len(list(experiments)) - is_first
        share = self._config.max_memory // (1 + others)
        store = self._open(replace(config, max_memory=share))
        self._at_end.callback(store.close)
        store.start()
        served = ServedExperiment(name, store)
        if is_first:
            experiments.begin_with(served)
            mount(source, served)
            self._opened[0].close()  # the placeholder
        else:
            mount(source, served)
            experiments.add(served)
