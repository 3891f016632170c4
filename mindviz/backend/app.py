"""create_app: puts config, experiment and routes together. Nothing happens before it is called."""

from __future__ import annotations

from flask import Flask

from mindviz.backend import blobs_api, plugins_api, series_api, status_api
from mindviz.backend.answers import Answers
from mindviz.backend.datavisual import (
    exports_api,
    graphs_api,
    histograms_api,
    images_api,
    landscapes_api,
    scalars_api,
    tensors_api,
    train_jobs_api,
)
from mindviz.backend.errors import register_error_handlers
from mindviz.backend.lineagemgr import importances_api, lineages_api
from mindviz.backend.request_guard import guard
from mindviz.backend.routes import Routes
from mindviz.backend.services import MINDINSIGHT, MINDVIZ, Dialect, Services
from mindviz.backend.webui import webui_blueprint, webui_dir
from mindviz.config import Config
from mindviz.datavisual.data_transform.data_provider import DataProvider
from mindviz.datavisual.data_transform.experiment import Experiment
from mindviz.datavisual.graph.logged_graphs import LoggedGraphs
from mindviz.datavisual.plugins import plugins
from mindviz.lineagemgr.annotations import Annotations
from mindviz.lineagemgr.lineage_table import Lineages


def create_app(
    config: Config, experiment: Experiment, provider: DataProvider | None = None
) -> Flask:
    """The web application over this experiment's data, which it neither starts nor closes.

    `provider` is the generic interface to the same data; without one there are no blobs by key.
    Raises StartError if a plugin of another distribution cannot be loaded.
    """
    plugins()  # found once, and now: what is wrong with one should be said at the start
    app = Flask("mindviz", static_folder=None)
    app.url_map.strict_slashes = False
    guard(app, config)
    services = Services(
        config,
        experiment,
        Answers(experiment),
        Lineages(experiment),
        Annotations(config.workspace, config.summary_base_dir),
        LoggedGraphs(experiment),
        provider,
    )
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

        CORS(app, origins=list(config.cors_origins))
    return app


def _contract_routes(services: Services, dialect: Dialect) -> Routes:
    routes = Routes(dialect.name, f"{services.config.url_path_prefix}{dialect.prefix}")
    train_jobs_api.add_routes(routes, services, dialect)
    scalars_api.add_routes(routes, services, dialect)
    images_api.add_routes(routes, services, dialect)
    histograms_api.add_routes(routes, services)
    tensors_api.add_routes(routes, services)
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
    blobs_api.add_routes(routes, services)
    graphs_api.add_own_routes(routes, services)
    exports_api.add_own_routes(routes, services)
    lineages_api.add_own_routes(routes, services)
    return routes
