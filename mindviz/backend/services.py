"""The objects that routes use, and the two dialects of the contract's routes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from threading import BoundedSemaphore

from mindviz.answer_memory import AnswerBudget
from mindviz.backend.new_events import NewEvents
from mindviz.backend.responses import Responses
from mindviz.backend.train_job_columns import TrainJobColumns
from mindviz.config import Config
from mindviz.datavisual.experiments import Experiments
from mindviz.datavisual.generic.data_provider import DataProvider
from mindviz.datavisual.graph.logged_graphs import LoggedGraphs
from mindviz.datavisual.health.log_health import LogHealth
from mindviz.datavisual.store import Store
from mindviz.lineagemgr.annotations import Annotations
from mindviz.lineagemgr.lineage_table import Lineages
from mindviz.lineagemgr.run_lists import RunLists


@dataclass(frozen=True, slots=True)
class Dialect:
    """A variant of the contract's routes, with its own prefix."""

    name: str
    """The prefix is `/v1/<name>`."""
    extras: bool
    """Whether responses include our own keys and plugins."""

    @property
    def prefix(self) -> str:
        """The prefix of all routes, after the configured one."""
        return f"/v1/{self.name}"

    def named(self, names: Iterable[str]) -> list[str]:
        """Ids or tags of a request; without duplicates in our dialect."""
        return list(dict.fromkeys(names) if self.extras else names)


MINDVIZ = Dialect("mindviz", extras=True)
MINDINSIGHT = Dialect("mindinsight", extras=False)


@dataclass(frozen=True, slots=True)
class Services:
    """Everything that routes use."""

    config: Config
    store: Store
    responses: Responses
    lineages: Lineages
    annotations: Annotations
    graphs: LoggedGraphs
    health: LogHealth
    budget: AnswerBudget
    provider: DataProvider
    """The generic interface to the same data."""
    columns: TrainJobColumns
    runs: RunLists
    exports: BoundedSemaphore
    """Limits concurrent exports."""
    dialect: Dialect = MINDVIZ
    new_events: NewEvents | None = None
    """Sends events to a webhook; None without one."""
    experiments: Experiments | None = None
    """All experiments of the process; None if this is the only one."""
    experiments_url: str = "experiment/"
    """The URL of all experiments, relative to this one's page."""
