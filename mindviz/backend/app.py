"""create_app: builds the web application from config, store and routes."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from importlib import import_module
from itertools import chain
from threading import BoundedSemaphore
from typing import TYPE_CHECKING

from flask import Blueprint, Flask
from werkzeug.middleware.dispatcher import DispatcherMiddleware

from mindviz import backend
from mindviz.answer_memory import AnswerBudget
from mindviz.backend import blobs_api, datavisual, lineagemgr
from mindviz.backend.access import require_token
from mindviz.backend.datavisual.exports_api import MAX_EXPORTS
from mindviz.backend.errors import register_error_handlers
from mindviz.backend.in_flight import count_answers
from mindviz.backend.new_events import NewEvents
from mindviz.backend.request_guard import guard
from mindviz.backend.responses import Responses
from mindviz.backend.routes import MatchedRule, Route, RouteBlueprint
from mindviz.backend.series_encoding import INCREMENT_HEADERS
from mindviz.backend.services import MINDINSIGHT, MINDVIZ, Services
from mindviz.backend.train_job_columns import TrainJobColumns
from mindviz.backend.webui import webui_blueprint, webui_dir
from mindviz.config import Config, ExperimentSource
from mindviz.datavisual.answer_bounds import AnswerBounds
from mindviz.datavisual.experiments import Experiments, ServedExperiment
from mindviz.datavisual.generic.data_provider import DataProvider, StoreProvider
from mindviz.datavisual.graph.logged_graphs import LoggedGraphs
from mindviz.datavisual.health.log_health import LogHealth
from mindviz.datavisual.health.rules_file import read_rules
from mindviz.datavisual.plugins import graph, plugins
from mindviz.datavisual.store import Store
from mindviz.lineagemgr.annotations import Annotations, WorkspaceAnnotations
from mindviz.lineagemgr.lineage_table import Lineages
from mindviz.stored_lists.lists_of import run_lists

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIEnvironment


def create_app(config: Config, store: Store, bounds: AnswerBounds | None = None) -> Flask:
    """The application for one store, which it neither starts nor closes.

    `bounds` defaults to those of the config. Raises StartError if a plugin cannot be loaded.
    """
    provider = StoreProvider.of(store, bounds=bounds or answer_bounds(config))
    budget = AnswerBudget.beside_columns(config.max_memory)
    return _app(_services(config, store, provider, budget))


def answer_bounds(config: Config) -> AnswerBounds:
    """Limits of one response of the generic interface."""
    return AnswerBounds(tensor_bytes=config.max_tensor_bytes)


class ExperimentApps:
    """The application for all experiments: the first one at the root, and each at its own path.

    The root also serves blobs of all experiments.
    """

    def __init__(
        self,
        config: Config,
        experiments: Experiments,
        bounds: AnswerBounds | None = None,
        new_events: NewEvents | None = None,
    ) -> None:
        self._config = config
        self._bounds = bounds or answer_bounds(config)
        self._new_events = new_events
        self._experiments = experiments
        self.budget = AnswerBudget.beside_columns(config.max_memory)
        self._at_root = self._services_of_first()
        self._dispatched = DispatcherMiddleware(_app(self._at_root))
        for source, served in zip(config.sources, experiments, strict=True):
            if source.experiment_id:
                self.mount(source, served)

    def _services_of_first(self) -> Services:
        first = self._experiments.first.store
        provider = StoreProvider(self._experiments, self._bounds)
        services = _services(self._config, first, provider, self.budget)
        self._follow(self._config.sources[0].experiment_id, services)
        return replace(services, experiments=self._experiments, new_events=self._new_events)

    def _follow(self, experiment_id: str, services: Services) -> None:
        if self._new_events is not None:
            self._new_events.follow(experiment_id, services.store, services.health)

    def mount(self, source: ExperimentSource, served: ServedExperiment) -> None:
        """Serve an experiment at its path, and at the root if it is the first one.

        Requests may run meanwhile; calls may not.
        """
        if self._at_root.store is not self._experiments.first.store:
            self._at_root = self._services_of_first()
            self._dispatched.app = _app(self._at_root)
        # Paths in a mounted app are relative to its mount point.
        own = replace(self._config.of(source), url_path_prefix="")
        provider = StoreProvider(Experiments([served]), self._bounds)
        if served is self._experiments.first:
            services = replace(self._at_root, provider=provider)
        else:
            services = _services(own, served.store, provider, self.budget)
            self._follow(source.experiment_id, services)
        services = replace(
            services,
            new_events=self._new_events,
            config=own,
            experiments=self._experiments,
            experiments_url="../",
        )
        self._dispatched.mounts[self._config.path_of(source)] = _app(services)

    def prepare(self) -> None:
        """Compute what lists of the first experiment's runs would wait for."""
        self._at_root.runs.prepare()

    def check(self) -> None:
        """Have the first experiment's runs checked in the background.

        On request, if they are more than the page lists, or in a database: others may check the
        same ones.
        """
        store = self._at_root.store
        if not store.has_catalog and store.status().train_jobs <= self._config.most_listed:
            self._at_root.health.check()

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Respond to a request; WSGI."""
        return self._dispatched(environ, start_response)


def _services(
    config: Config, store: Store, provider: DataProvider, budget: AnswerBudget
) -> Services:
    lineages = Lineages(store)
    health = LogHealth(store, read_rules(config.rules_file, config.sources[0].base_dir))
    return Services(
        config,
        store,
        Responses(store, config.max_memory),
        lineages,
        _annotations(config, store),
        LoggedGraphs(store, graph.PLUGINS),
        health,
        budget,
        provider,
        TrainJobColumns(store, config.most_listed, health.run_events),
        run_lists(store, lineages, health.run_events),
        BoundedSemaphore(MAX_EXPORTS),
    )


def _annotations(config: Config, store: Store) -> Annotations:
    (source, *_) = config.sources
    if source.base_dir is None:
        # Imported late, because SQLAlchemy is slow to import.
        from mindviz.backend.database_annotations import DatabaseAnnotations  # noqa: PLC0415
        from mindviz.datavisual.sql.sql_store import SqlStore  # noqa: PLC0415

        if isinstance(store, SqlStore):
            return DatabaseAnnotations(store.database, source.experiment_id)
    return WorkspaceAnnotations(
        config.workspace, source.base_dir or store.status().summary_base_dir
    )


def _app(services: Services) -> Flask:
    plugins()  # load them now, to report errors at startup
    config = services.config
    app = Flask("mindviz", static_folder=None)
    app.url_map.strict_slashes = False
    app.url_rule_class = MatchedRule
    guard(app, config)
    require_token(app, config)
    count_answers(app, services.budget)
    for blueprint in _blueprints(services, config.url_path_prefix):
        app.register_blueprint(blueprint)
    register_error_handlers(app)
    if config.cors_origins:
        from flask_cors import CORS  # noqa: PLC0415 -- rarely needed, slow to import

        CORS(app, origins=list(config.cors_origins), expose_headers=["ETag", *INCREMENT_HEADERS])
    return app


def _blueprints(services: Services, prefix: str) -> Iterable[Blueprint]:
    contract, own = _routes("contract"), _routes("own")
    for dialect in (MINDVIZ, MINDINSIGHT):
        yield RouteBlueprint(
            dialect.name,
            f"{prefix}{dialect.prefix}",
            replace(services, dialect=dialect),
            contract,
            strict_slashes=not dialect.extras,
        )
    yield RouteBlueprint("own", f"{prefix}{MINDVIZ.prefix}", services, own, own=True)
    yield RouteBlueprint("root", prefix, services, blobs_api.own.declared, own=True)
    yield webui_blueprint(prefix, webui_dir())


@cache
def _routes(name: str) -> list[Route]:
    """The routes that modules called `..._api` declare as `contract` or `own`, by path."""
    modules = [
        import_module(f"{package.__name__}.{module.name}")
        for package in (backend, datavisual, lineagemgr)
        for module in pkgutil.iter_modules(package.__path__)
        if module.name.endswith("_api")
    ]
    declared = [getattr(module, name).declared for module in modules if hasattr(module, name)]
    return sorted(chain.from_iterable(declared), key=lambda route: route.path)
