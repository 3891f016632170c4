"""A route of our own about plugins: which there are."""

from __future__ import annotations

from typing import Any

from flask import Response

from mindviz.backend import schemas
from mindviz.backend.encoding import to_json
from mindviz.backend.routes import Routes
from mindviz.backend.services import Services
from mindviz.datavisual.plugins import plugins


def add_routes(routes: Routes, services: Services) -> None:
    """Add the route of this module."""
    responses = services.responses

    @routes.get("/plugins", schemas.NoQuery)
    def read_plugins(_query: dict[str, Any]) -> Response:
        """Every registered plugin: name, suffix of its tags, data class, forms of its values."""
        items = [
            {
                "name": plugin.name,
                "suffix": plugin.suffix,
                "data_class": plugin.data_class,
                "values": sorted(plugin.values),
                "overview": plugin.overview is not None,
            }
            for plugin in plugins().values()
        ]
        return responses.uncached(to_json({"plugins": items}))
