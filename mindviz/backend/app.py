"""create_app: puts config, store and routes together. Nothing happens before it is called."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from flask import Flask
from werkzeug.middleware.dispatcher import DispatcherMiddleware

from mindviz.answer_memory import AnswerBudget
from mindviz.backend import (
    blobs_api,
    data_api,
    experiments_api,
    findings_api,
    plugins_api,
    series_api,
    status_api,
    tensor_files_api,
)
from mindviz.backend.access import require_token
from mindviz.backend.datavisual import (
    embeddings_api,
    exports_api,
    graphs_api,
    histograms_api,
    images_api,
    landscapes_api,
    scalar_batches_api,
    scalar_formulas_api,
    scalar_groups_api,
    scalar_restarts_api,
    scalars_api,
    tensors_api,
    train_job_columns_api,
    train_jobs_api,
)
from mindviz.backend.errors import register_error_handlers
from mindviz.backend.in_flight import count_answers
from mindviz.backend.lineagemgr import importances_api, lineages_api
from mindviz.backend.request_guard import guard
from mindviz.backend.responses import Responses
from mindviz.backend.routes import Routes
from mindviz.backend.series_encoding import INCREMENT_HEADERS
from mindviz.backend.services import MINDINSIGHT, MINDVIZ, Dialect, Services
from mindviz.backend.webui import webui_blueprint, webui_dir
from mindviz.config import Config, ExperimentSource
from mindviz.datavisual.answer_bounds import AnswerBounds
from mindviz.datavisual.experiments import Experiments, ServedExperiment
from mindviz.datavisual.generic.data_provider import DataProvider, StoreProvider
from mindviz.datavisual.graph.logged_graphs import LoggedGraphs
from mindviz.datavisual.health.log_health import LogHealth
from mindviz.datavisual.plugins import plugins
from mindviz.datavisual.store import Store
from mindviz.lineagemgr.annotations import Annotations
from mindviz.lineagemgr.lineage_table import Lineages

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIEnvironment


def create_app(config: Config, store: Store, bounds: AnswerBounds | None = None) -> Flask:
    """The web application over this store, which it neither starts nor closes.

    `bounds` defaults to those of the config. Raises StartError if a plugin of another distribution
    cannot be loaded.
    """
    provider = StoreProvider.of(store, bounds=bounds or answer_bounds(config))
    budget = AnswerBudget.beside_columns(config.max_memory)
    return _app(_services(config, store, provider, budget))


def answer_bounds(config: Config) -> AnswerBounds:
    """What one generic answer may hold."""
    return AnswerBounds(tensor_bytes=config.max_tensor_bytes)


class ExperimentApps:
    """One application over all experiments of the config: the first at the root, each at its path.

    At the root, a blob may be of any of them.
    """

    def __init__(
        self, config: Config, experiments: Experiments, bounds: AnswerBounds | None = None
    ) -> None:
        """Raises as `create_app`. `bounds` defaults to those of the config."""
        self._config = config
        self._bounds = bounds or answer_bounds(config)
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
        return replace(services, experiments=self._experiments)

    def mount(self, source: ExperimentSource, served: ServedExperiment) -> None:
        """Answer at the path of this experiment, too; requests may come in meanwhile.

        At the root as well, if it is the first one by now.
        """
        if self._at_root.store is not self._experiments.first.store:
            self._at_root = self._services_of_first()
            self._dispatched.app = _app(self._at_root)
        # A middleware says where it is mounted; its own paths begin there.
        own = replace(self._config.of(source), url_path_prefix="")
        provider = StoreProvider(Experiments([served]), self._bounds)
        if served is self._experiments.first:
            services = replace(self._at_root, provider=provider)
        else:
            services = _services(own, served.store, provider, self.budget)
        services = replace(
            services, config=own, experiments=self._experiments, experiments_url="../"
        )
        self._dispatched.mounts[self._config.path_of(source)] = _app(services)

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request."""
        return self._dispatched(environ, start_response)


def _services(
    config: Config, store: Store, provider: DataProvider, budget: AnswerBudget
) -> Services:
    return Services(
        config,
        store,
        Responses(store),
        Lineages(store),
        Annotations(config.workspace, _annotated(config, store)),
        LoggedGraphs(store),
        LogHealth(store),
        budget,
        provider,
    )


def _annotated(config: Config, store: Store) -> str | Path:
    """What notes are about: a base dir, or an experiment in a database."""
    if isinstance(config.sources[0].location, Path):
        return config.summary_base_dir
    return store.status().summary_base_dir


def _app(services: Services) -> Flask:
    plugins()  # found once, and now: what is wrong with one should be said at the start
    config = services.config
    app = Flask("mindviz", static_folder=None)
    app.url_map.strict_slashes = False
    guard(app, config)
    require_token(app, config)
    count_answers(app, services.budget)
    ours = _contract_routes(services, MINDVIZ)
    app.register_blueprint(ours)
    app.register_blueprint(_contract_routes(services, MINDINSIGHT))
    at_root = Routes("root", config.url_path_prefix, own=True)
    blobs_api.add_routes(at_root, services)
    app.register_blueprint(_own_routes(services, ours, at_root))
    app.register_blueprint(at_root)
    app.register_blueprint(webui_blueprint(config.url_path_prefix, webui_dir()))
    register_error_handlers(app)
    if config.cors_origins:
        from flask_cors import CORS  # noqa: PLC0415 -- few need it, and it takes its time

        CORS(
            app,
            origins=list(config.cors_origins),
            expose_headers=["ETag", *INCREMENT_HEADERS],
        )
    return app


def _contract_routes(services: Services, dialect: Dialect) -> Routes:
    prefix = f"{services.config.url_path_prefix}{dialect.prefix}"
    routes = Routes(dialect.name, prefix, strict_slashes=not dialect.extras)
    train_jobs_api.add_routes(routes, services, dialect)
    scalars_api.add_routes(routes, services, dialect)
    images_api.add_routes(routes, services, dialect)
    histograms_api.add_routes(routes, services)
    tensors_api.add_routes(routes, services, dialect)
    graphs_api.add_routes(routes, services)
    landscapes_api.add_routes(routes, services, dialect)
    lineages_api.add_routes(routes, services, dialect)
    importances_api.add_routes(routes, services, dialect)
    status_api.add_contract_routes(routes)
    return routes


def _own_routes(services: Services, contract: Routes, at_root: Routes) -> Routes:
    routes = Routes("own", f"{services.config.url_path_prefix}{MINDVIZ.prefix}", own=True)
    status_api.add_routes(routes, services, described=(contract, routes, at_root))
    plugins_api.add_routes(routes, services)
    series_api.add_routes(routes, services)
    tensor_files_api.add_routes(routes, services)
    blobs_api.add_routes(routes, services)
    data_api.add_routes(routes, services)
    experiments_api.add_routes(routes, services)
    train_job_columns_api.add_own_routes(routes, services)
    scalar_batches_api.add_own_routes(routes, services)
    scalar_formulas_api.add_own_routes(routes, services)
    scalar_groups_api.add_own_routes(routes, services)
    scalar_restarts_api.add_own_routes(routes, services)
    findings_api.add_routes(routes, services)
    graphs_api.add_own_routes(routes, services)
    exports_api.add_own_routes(routes, services)
    embeddings_api.add_own_routes(routes, services)
    lineages_api.add_own_routes(routes, services)
    return routes
