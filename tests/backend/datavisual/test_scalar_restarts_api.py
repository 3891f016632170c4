from __future__ import annotations

import math
from typing import Any

from flask.testing import FlaskClient

from tests.store_fake import FakeStore

PATH = "/v1/mindviz/datavisual/scalars/restarts"


def ask(client: FlaskClient, status: int = 200, **query: Any) -> Any:
    response = client.get(PATH, query_string=query)
    assert response.status_code == status, response.get_json()
    return response.get_json()


def test_a_short_restart_of_a_long_series_is_found(store: FakeStore, client: FlaskClient) -> None:
    steps = [*range(3000), *range(2998, 6000), *range(5990, 6100)]
    store.add("./a").append("loss", steps, [0.5] * len(steps))
    store.add("./b").append("loss", range(5), [0.5] * 5)
    answer = ask(client, train_id=["./a", "./b", "./gone"], tag=["loss", "accuracy"])
    assert answer == {"restarts": [{"train_id": "./a", "tag": "loss", "step": [2998, 5990]}]}


def test_discarded_points_are_returned_on_demand(store: FakeStore, client: FlaskClient) -> None:
    store.add("./a").append("loss", [1, 2, 3, 4, 2, 3], [1, math.nan, 3, 4, 2.5, 3.5])
    store.add("./b").append("loss", [1, 2], [1, 2])
    (one,) = ask(client, train_id=["./a", "./b"], tag="loss", aside=100)["restarts"]
    assert (one["train_id"], one["step"]) == ("./a", [2])
    (piece,) = one["aside"]
    assert (piece["reason"], piece["writer"], piece["count"]) == ("replaced", None, 3)
    assert (piece["step"], piece["value"]) == ([2, 3, 4], [None, 3, 4])
    assert len(piece["wall_time"]) == 3


def test_requests_have_limits(client: FlaskClient) -> None:
    ask(client, status=400, train_id="./a")
    ask(client, status=400, train_id="./a", tag="loss", aside=4001)
    tags = [str(i) for i in range(51)]
    assert "200000" in ask(client, status=400, train_id="./a", tag=tags, aside=4000)["error_msg"]
    many = [str(i) for i in range(1001)]
    assert "2000" in ask(client, status=400, train_id=["./a", "./b"], tag=many)["error_msg"]
