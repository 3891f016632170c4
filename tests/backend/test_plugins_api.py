"""The list of plugins."""

from __future__ import annotations

from flask.testing import FlaskClient

from mindviz.datavisual.plugins import plugins


def test_all_plugins_are_listed(client: FlaskClient) -> None:
    listed = client.get("/v1/mindviz/plugins").get_json()["plugins"]
    assert {one["name"]: (one["suffix"], one["data_class"]) for one in listed} == {
        name: (plugin.suffix, plugin.data_class) for name, plugin in plugins().items()
    }
    scalar = next(one for one in listed if one["name"] == "scalar")
    assert (scalar["values"], scalar["overview"]) == ([""], False)
