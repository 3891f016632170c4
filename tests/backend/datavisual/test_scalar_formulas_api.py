from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.store_fake import START, FakeStore

PATH = "/v1/mindviz/datavisual/scalars/formulas"


def ask(client: FlaskClient, status: int = 200, **query: Any) -> Any:
    response = client.get(PATH, query_string=query)
    assert response.status_code == status, response.get_json()
    return response.get_json()


def two_jobs(store: FakeStore) -> None:
    for number, name in enumerate(("./a", "./b"), 1):
        job = store.add(name)
        job.append("loss/train", range(4), [1.0 * number] * 4)
        job.append("loss/valid", range(4), [4.0 * number] * 3 + [float("nan")])
    store.add("./c").append("loss/train", [1], [1.0])


GAP = "`loss/valid` - `loss/train`"


def test_formulas_are_computed_for_all_jobs_with_their_tags(
    store: FakeStore, client: FlaskClient
) -> None:
    two_jobs(store)
    ids = ["./b", "./a", "./c", "./gone"]
    answer = ask(client, train_id=ids, formula=[GAP, "abs(`loss/train`)"], end_step=2)
    named = [(one["train_id"], one["formula"]) for one in answer["scalars"]]
    assert named == [
        ("./b", GAP),
        ("./b", "abs(`loss/train`)"),
        ("./a", GAP),
        ("./a", "abs(`loss/train`)"),
        ("./c", "abs(`loss/train`)"),
    ]
    first = answer["scalars"][0]
    assert first["values"] == {
        "step": [0, 1, 2],
        "wall_time": [START, START + 1, START + 2],
        "value": [6.0, 6.0, 6.0],
    }
    assert first["total"] == 4


def test_they_are_downsampled_and_smoothed_like_scalars(
    store: FakeStore, client: FlaskClient
) -> None:
    spike = [0.0] * 500 + [1.0] + [0.0] * 499
    store.add("./a").append("x", range(1000), spike)
    (one,) = ask(client, train_id="./a", formula="x * 2", max_points=8)["scalars"]
    assert 2.0 in one["values"]["value"]
    assert len(one["values"]["step"]) <= 8
    assert (one["total"], one["in_range"]) == (1000, 1000)
    begin, end = START + 10, START + 12
    answer = ask(client, train_id="./a", formula="x * 2", start_time=begin, end_time=end)
    (one,) = answer["scalars"]
    assert (one["values"]["step"], one["in_range"]) == ([10, 11, 12], 3)
    (one,) = ask(client, train_id="./a", formula="x", smoothing="mean:3", start_step=501)["scalars"]
    assert one["values"]["smoothed"][0] == pytest.approx(1 / 3)


def test_they_are_available_as_arrow(store: FakeStore, client: FlaskClient) -> None:
    two_jobs(store)
    query = {"train_id": "./a", "formula": GAP, "format": "arrow"}
    response = client.get(PATH, query_string=query)
    assert response.content_type == "application/vnd.apache.arrow.stream"
    assert response.data[:4] == b"\xff\xff\xff\xff"


def test_invalid_requests_are_rejected(store: FakeStore, client: FlaskClient) -> None:
    two_jobs(store)
    ask(client, 400, train_id="./a", formula="a +")
    ask(client, 400, train_id="./a")
    ask(client, 400, train_id="./a", formula="a", smoothing="much")
    many = [f"x + {number}" for number in range(2001)]
    ask(client, 400, train_id="./a", formula=many)


def test_the_text_of_a_chart_is_split_into_formulas(client: FlaskClient) -> None:
    response = client.get(f"{PATH}/lines", query_string={"text": "train/loss ^ 2, acc"})
    assert response.get_json() == {
        "lines": [
            {
                "formula": "`train/loss` ** 2",
                "label": "train/loss ^ 2",
                "tags": ["train/loss"],
                "tag": None,
            },
            {"formula": "`acc`", "label": "acc", "tags": ["acc"], "tag": "acc"},
        ],
        "error": None,
    }


def test_the_syntax_error_of_a_chart_has_its_position(
    client: FlaskClient,
) -> None:
    response = client.get(f"{PATH}/lines", query_string={"text": "loss - "})
    assert response.status_code == 200
    assert response.get_json() == {
        "lines": [],
        "error": {"character": 7, "message": "Syntax error at character 7."},
    }
