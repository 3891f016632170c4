from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.store_fake import FakeStore


@pytest.fixture(autouse=True)
def runs(store: FakeStore) -> None:
    for name in ("./a", "./b"):
        store.add(name).append("loss", [1, 2, 3], [0.5, 0.25, 0.125])


def ask(client: FlaskClient, status: int = 200, **query: Any) -> Any:
    response = client.get("/v1/mindviz/ask", query_string=query)
    assert response.status_code == status
    return response


def test_the_answer_is_json_or_text(client: FlaskClient) -> None:
    answer = ask(client, question="series a loss", page="http://h/").get_json()
    assert answer["facts"]["points"] == 3
    assert answer["page"] == "http://h/#/scalar?runs=a&tags=%5Eloss%24"
    text = ask(client, question="series a loss", format="text")
    assert text.content_type == "text/plain; charset=utf-8"
    assert text.text.startswith("series a loss\naxis: ")


def test_a_body_is_as_a_query(client: FlaskClient) -> None:
    body: dict[str, Any] = {
        "question": "list",
        "max_tokens": 1_000,
        "cursor": 1,
        "format": "json",
    }
    answer = client.post("/v1/mindviz/ask", json=body).get_json()
    assert (answer["total"], len(answer["rows"])) == (2, 1)
    assert answer == ask(client, **body).get_json()


def test_errors_have_the_codes_of_other_routes(client: FlaskClient) -> None:
    error = ask(client, 400, question="waht").get_json()
    assert "Questions: list" in error["error_msg"]
    assert ask(client, 404, question="run c").get_json()["error_code"] == "50545005"
    small = ask(client, 400, question="list", max_tokens=5).get_json()
    assert small["error_code"] == "50545013"
    ask(client, 400, question="")
    ask(client, 400, question="list", max_tokens=0)
    ask(client, 400, question="list", format="xml")


@pytest.mark.parametrize(
    ("link", "question"),
    [
        ("http://127.0.0.1:8080/#/scalar?runs=a&tags=%5Eloss%24", "series a loss"),
        ("http://127.0.0.1:8080/", "list"),
        ("no link", "list"),
        ("#/runs?job=./b", "run b"),
    ],
)
def test_a_view_of_the_page_has_a_question(client: FlaskClient, link: str, question: str) -> None:
    answer = client.get("/v1/mindviz/ask/question", query_string={"link": link}).get_json()
    assert answer == {"question": question}
