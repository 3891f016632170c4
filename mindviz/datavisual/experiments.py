"""Experiments: all that one process serves, by id."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mindviz.datavisual.generic.data_provider import DataProvider
from mindviz.datavisual.store import Store
from mindviz.errors import ExperimentNotFound


@dataclass(frozen=True, slots=True)
class ServedExperiment:
    """One experiment, as the routes and as generic clients see it."""

    experiment_id: str
    """May be empty for the first one alone."""
    experiment: Store
    provider: DataProvider


class Experiments:
    """Experiments by their ids, which differ; the empty id means the first one."""

    def __init__(self, served: Sequence[ServedExperiment]) -> None:
        """At least one."""
        self.first = served[0]
        self._by_id = {one.experiment_id: one for one in served}

    def __iter__(self) -> Iterator[ServedExperiment]:
        """In the order in which they were given."""
        return iter(self._by_id.values())

    def add(self, served: ServedExperiment) -> None:
        """One more, behind the others. Any thread may look meanwhile."""
        self._by_id = {**self._by_id, served.experiment_id: served}

    def begin_with(self, served: ServedExperiment) -> None:
        """Put this one in the place of the first. Any thread may look meanwhile."""
        _, *others = self._by_id.values()
        self._by_id = {one.experiment_id: one for one in (served, *others)}
        self.first = served

    def find(self, experiment_id: str) -> ServedExperiment:
        """Raises ExperimentNotFound."""
        if not experiment_id:
            return self.first
        try:
            return self._by_id[experiment_id]
        except KeyError:
            raise ExperimentNotFound(experiment_id, self._by_id) from None
