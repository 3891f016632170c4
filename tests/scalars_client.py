"""Requests scalars over HTTP."""

from __future__ import annotations

from typing import Any

from flask.testing import FlaskClient

ROUTE = "/v1/mindviz/datavisual/scalars"


def ask(client: FlaskClient, **arguments: Any) -> Any:
    """The JSON of `scalars` for ./a and loss."""
    query = {"train_id": "./a", "tag": "loss/scalar", **arguments}
    response = client.get(ROUTE, query_string=query)
    assert response.status_code == 200, response.get_json()
    return response.get_json()


def steps(answer: Any) -> list[int]:
    return [row["step"] for row in answer["scalars"][0]["values"]]


def smoothed(answer: Any) -> list[float | None]:
    return [row["smoothed"] for row in answer["scalars"][0]["values"]]
