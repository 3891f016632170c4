"""Experiments: the stores that one process serves, by experiment id."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mindviz.datavisual.store import Store
from mindviz.errors import ExperimentNotFound


@dataclass(frozen=True, slots=True)
class ServedExperiment:
    """One experiment and its store."""

    experiment_id: str
    """May be empty for the first one alone."""
    store: Store


class Experiments:
    """Experiments by id; ids are unique. The empty id means the first experiment."""

    def __init__(self, served: Sequence[ServedExperiment]) -> None:
        """At least one."""
        self.first = served[0]
        self._by_id = {experiment.experiment_id: experiment for experiment in served}

    def __iter__(self) -> Iterator[ServedExperiment]:
        """In the order given."""
        return iter(self._by_id.values())

    def add(self, served: ServedExperiment) -> None:
        """Append an experiment. Thread-safe for readers."""
        self._by_id = {**self._by_id, served.experiment_id: served}

    def begin_with(self, served: ServedExperiment) -> None:
        """Replace the first experiment. Thread-safe for readers."""
        _, *others = self._by_id.values()
        self._by_id = {experiment.experiment_id: experiment for experiment in (served, *others)}
        self.first = served

    def find(self, experiment_id: str) -> ServedExperiment:
        """Raises ExperimentNotFound."""
        if not experiment_id:
            return self.first
        try:
            return self._by_id[experiment_id]
        except KeyError:
            raise ExperimentNotFound(experiment_id, self._by_id) from None
