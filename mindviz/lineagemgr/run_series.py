"""RunSeries: all series of one run, read on demand."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from mindviz.datavisual.analysis.series_parity import StepValues
from mindviz.datavisual.health.health_events import Severity, log_events
from mindviz.datavisual.series.findings import Finding
from mindviz.datavisual.series.generic_series import ScalarPoints
from mindviz.datavisual.store import Store
from mindviz.errors import TagNotFound

Tags = Mapping[str, Sequence[str]]
"""Plugin name -> tags."""


@dataclass(frozen=True, slots=True)
class LostData:
    """Damage of one kind in one log file."""

    path: str
    kind: str
    detail: str

    def __str__(self) -> str:
        return f"{self.path}: {self.detail}"


def lost_data(problems: Iterable[Finding]) -> list[LostData]:
    """The problems that lose data, one per file and kind."""
    return [
        LostData(event.path, event.kind.value, event.detail)
        for event in log_events(problems)
        if event.severity is Severity.SEVERE
    ]


class RunSeries(ABC):
    """The series of one run, wherever its data is."""

    @property
    @abstractmethod
    def tags(self) -> Tags:
        """Of all plugins with logged series. Raises TrainJobNotFound."""

    @abstractmethod
    def points(self, tags: frozenset[str]) -> Mapping[str, ScalarPoints]:
        """The points that count of some scalars."""

    @abstractmethod
    def values(self, plugin_name: str, tag: str) -> StepValues:
        """The values of a series of tensors or blobs; none for a series that was just deleted."""

    @abstractmethod
    def lost_data(self) -> list[LostData]:
        """Damage in its logs, as far as its values have been read. Raises TrainJobNotFound."""


class StoredSeries(RunSeries):
    """The series of a train job in a store."""

    def __init__(self, store: Store, train_id: str) -> None:
        self._store = store
        self._train_id = train_id

    @cached_property
    def tags(self) -> Tags:
        """As in `RunSeries`."""
        return self._store.list_tags(self._train_id)

    def points(self, tags: frozenset[str]) -> Mapping[str, ScalarPoints]:
        """As in `RunSeries`."""
        store = self._store
        return {tag: points for tag in tags for points in store.read_points([self._train_id], tag)}

    def values(self, plugin_name: str, tag: str) -> StepValues:
        """As in `RunSeries`."""
        try:
            series = self._store.read_values(self._train_id, plugin_name, tag)
        except TagNotFound:
            return
        for row in reversed(range(len(series.step))):
            yield int(series.step[row]), partial(series.read, row)

    def lost_data(self) -> list[LostData]:
        """As in `RunSeries`."""
        return lost_data(self._store.train_job(self._train_id).problems)
