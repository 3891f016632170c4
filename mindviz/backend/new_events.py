"""NewEvents: sends the events of all experiments to a webhook as they appear."""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import mindviz
from mindviz.asking.log_text import log_text
from mindviz.backend.webhook import Webhook
from mindviz.datavisual.health.event_sizes import size_text
from mindviz.datavisual.health.health_events import SeriesEvent, Severity
from mindviz.datavisual.health.log_health import LogHealth
from mindviz.datavisual.store import LoadStatus, Store

_LOGGER = logging.getLogger(__name__)

INTERVAL = 2.0
"""Seconds between checks for new points."""

_Key = tuple[str, str, int]


class NewEvents:
    """Checks all runs in the background. Thread-safe.

    What is found first in a run that existed when loading ended is known, and not sent: a restart
    of mindviz does not repeat it. Notes are not sent.
    """

    def __init__(self, webhook: Webhook, interval: float = INTERVAL) -> None:
        self.webhook = webhook
        self._interval = interval
        self._lock = threading.Lock()
        self._experiments: dict[str, _Experiment] = {}
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="mindviz-new-events", daemon=True)
        self._thread.start()

    def follow(self, experiment_id: str, store: Store, health: LogHealth) -> None:
        """Send the events of an experiment, in place of one that had this id."""
        experiment = _Experiment(experiment_id, store, health, self.webhook)
        with self._lock:
            self._experiments[experiment_id] = experiment

    def close(self) -> None:
        """Stop checking and sending."""
        self._closed.set()
        self.webhook.close()

    def _run(self) -> None:
        while not self._closed.wait(self._interval):
            self.check()

    def check(self) -> None:
        """Have the runs with new points analyzed in the background."""
        with self._lock:
            experiments = list(self._experiments.values())
        for experiment in experiments:
            try:
                experiment.check()
            except Exception:  # such as a database that does not respond
                _LOGGER.debug("Checking for new events failed", exc_info=True)


class _Experiment:
    """Which events of an experiment are known."""

    def __init__(
        self, experiment_id: str, store: Store, health: LogHealth, webhook: Webhook
    ) -> None:
        self._id = experiment_id
        self._store = store
        self._health = health
        self._webhook = webhook
        self._lock = threading.Lock()
        self._old: set[str] | None = None
        """Runs whose first events are known; None while loading: all."""
        self._known: dict[str, dict[_Key, int]] = {}
        self._version: int | None = None
        health.on_events = self._take

    def check(self) -> None:
        """Have the runs with new points analyzed. Raises DatabaseUnavailable."""
        if self._old is None:
            if self._store.status().load_status is not LoadStatus.LOADED:
                return
            with self._lock:
                self._old = set(self._store.list_train_ids()) - self._known.keys()
        version = self._store.version
        if self._health.check() == 0 and version != self._version:
            there = set(self._store.list_train_ids())
            with self._lock:
                self._version = version
                self._known = {job: keys for job, keys in self._known.items() if job in there}
                self._old &= there

    def _take(self, train_id: str, events: Sequence[SeriesEvent]) -> None:
        with self._lock:
            is_first = train_id not in self._known
            known = self._known.setdefault(train_id, {})
            silent = is_first and (self._old is None or train_id in self._old)
            for event in events:
                key = (event.kind.value, event.rule, event.step if event.times == 1 else -1)
                is_new = event.times > known.get(key, 0)
                # What repeats is one event: it is known by its number of times.
                other = (event.kind.value, event.rule, -1)
                if is_new and event.times == 1 and other in known:
                    is_new = False
                if is_new:
                    known[key] = event.times
                    if not silent and event.severity is not Severity.NOTE:
                        self._webhook.send(self._message(train_id, event))

    def _message(self, train_id: str, event: SeriesEvent) -> dict[str, Any]:
        return {
            "text": _text(train_id, event),
            "mindviz_version": mindviz.__version__,
            "experiment": self._id,
            "train_id": train_id,
            "event": asdict(event),
        }


def _text(train_id: str, event: SeriesEvent) -> str:
    """One line, for chats."""
    size = size_text(event.kind, max(event.size, key=abs))
    name = event.rule or event.kind.value
    tag = _as_code(event.places[0].tag)
    line = f"{_as_code(train_id)}: {event.severity.value}, {name} in {tag} at step {event.step:,}"
    return line + (f", {size}" if size else "")


def _as_code(name: str) -> str:
    """A name that a log wrote, as Markdown: chats find no links, images or mentions in code."""
    text = log_text(name).replace("`", "'")
    return f"`{text}`"
