"""Requests lineage over HTTP."""

from __future__ import annotations

from typing import Any

from flask.testing import FlaskClient

ROUTE = "/lineagemgr/lineages"
OURS = "/v1/mindviz"
CONTRACTS = "/v1/mindinsight"


def search(client: FlaskClient, body: Any = None, prefix: str = OURS) -> dict[str, Any]:
    response = client.post(f"{prefix}{ROUTE}", json={} if body is None else body)
    assert response.status_code == 200, response.get_data(as_text=True)
    answer: dict[str, Any] = response.get_json()
    return answer


def ids(answer: dict[str, Any]) -> list[str]:
    return [item["summary_dir"] for item in answer["object"]]
