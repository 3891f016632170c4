"""create_app: puts config, provider and routes together. Nothing happens before it is called."""

from __future__ import annotations

from flask import Flask
from flask_smorest import Api  # type: ignore[import-untyped]

import mindviz
from mindviz.backend import plugins_api, status_api
from mindviz.backend.answers import Answers
from mindviz.backend.datavisual import (
    histograms_api,
    images_api,
    scalars_api,
    tensors_api,
    train_jobs_api,
)
from mindviz.backend.errors import register_error_handlers
from mindviz.backend.request_guard import guard
from mindviz.backend.routes import Routes
from mindviz.backend.services import MINDINSIGHT, MINDVIZ, Dialect, Services
from mindviz.backend.webui import webui_blueprint, webui_dir
from mindviz.config import Config
from mindviz.datavisual.data_transform.data_provider import DataProvider


def create_app(config: Config, provider: DataProvider) -> Flask:
    """The web application over this provider's data, which it neither starts nor closes."""
    app = Flask("mindviz", static_folder=None)
    app.json.sort_keys = False  # type: ignore[attr-defined] # Flask's default provider has it
    app.url_map.strict_slashes = False
    app.config.update(
        API_TITLE="mindviz",
        API_VERSION=mindviz.__version__,
        OPENAPI_VERSION="3.1.0",
        OPENAPI_URL_PREFIX=f"{config.url_path_prefix}{MINDVIZ.prefix}",
        OPENAPI_JSON_PATH="openapi.json",
    )
    guard(app, config)
    services = Services(config, provider, Answers(provider))
    api = Api(app)
    # flask-smorest documents what is registered through it: the second prefix is not repeated.
    api.register_blueprint(_contract_routes(services, MINDVIZ))
    app.register_blueprint(_contract_routes(services, MINDINSIGHT))
    api.register_blueprint(_own_routes(services))
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
    status_api.add_contract_routes(routes)
    return routes


def _own_routes(services: Services) -> Routes:
    routes = Routes("own", f"{services.config.url_path_prefix}{MINDVIZ.prefix}", own=True)
    status_api.add_routes(routes, services)
    plugins_api.add_routes(routes, services)
    return routes
