"""The route that lists all plugins."""

from __future__ import annotations

from typing import Any

from mindviz.backend.routes import Routes
from mindviz.backend.schemas import NoQuery
from mindviz.backend.services import Services
from mindviz.datavisual.plugins import plugins

own = Routes()


@own.get("/plugins", NoQuery)
def read_plugins(_services: Services, _query: dict[str, Any]) -> dict[str, Any]:
    """All plugins, with the suffix of their tags, data class and forms of values."""
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
    return {"plugins": items}
