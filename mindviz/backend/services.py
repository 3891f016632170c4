"""What `create_app` gives to the routes, and the two dialects in which they are served."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from mindviz.answer_memory import AnswerBudget
from mindviz.backend.responses import Responses
from mindviz.config import Config
from mindviz.datavisual.experiments import Experiments
from mindviz.datavisual.generic.data_provider import DataProvider
from mindviz.datavisual.graph.logged_graphs import LoggedGraphs
from mindviz.datavisual.health.log_health import LogHealth
from mindviz.datavisual.store import Store
from mindviz.lineagemgr.annotations import Annotations
from mindviz.lineagemgr.lineage_table import Lineages


@dataclass(frozen=True, slots=True)
class Dialect:
    """One of the prefixes under which the contract's routes are served."""

    name: str
    """Last part of the prefix `/v1/<name>`."""
    extras: bool
    """Whether answers hold our own keys and plugins beside the contract's."""

    @property
    def prefix(self) -> str:
        """Path before every route, without the configured prefix."""
        return f"/v1/{self.name}"

    def named(self, names: Iterable[str]) -> list[str]:
        """Ids or tags of a request: in ours each once, in the contract as often as named."""
        return list(dict.fromkeys(names) if self.extras else names)


MINDVIZ = Dialect("mindviz", extras=True)
MINDINSIGHT = Dialect("mindinsight", extras=False)


@dataclass(frozen=True, slots=True)
class Services:
    """Everything a route may use."""

    config: Config
    store: Store
    responses: Responses
    lineages: Lineages
    annotations: Annotations
    graphs: LoggedGraphs
    health: LogHealth
    budget: AnswerBudget
    """Of the answers in flight."""
    provider: DataProvider
    """The same data for generic clients."""
    experiments: Experiments | None = None
    """All that the process serves; None: this one alone."""
    experiments_url: str = "experiment/"
    """Where they are, each below its id, as seen from the page of this one."""
