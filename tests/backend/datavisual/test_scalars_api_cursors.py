"""Scalars over HTTP: increments lead to the same points as a full request."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st

from mindviz.backend.app import create_app
from mindviz.config import Config
from tests.scalars_client import ask, smoothed, steps
from tests.store_fake import FakeStore


def test_a_cursor_returns_only_new_points(store: FakeStore, client: FlaskClient) -> None:
    job = store.add("./a")
    job.append("loss", range(10), [1.0] * 10)
    first = ask(client)
    assert "reset" not in first["scalars"][0]
    nothing = ask(client, since=first["cursor"])
    (series,) = nothing["scalars"]
    assert (series["values"], series["reset"], series["truncate_from_step"]) == ([], False, None)
    job.append("loss", [10, 11], [2.0, 3.0])
    more = ask(client, since=nothing["cursor"])
    assert steps(more) == [10, 11]
    assert more["scalars"][0]["total"] == 12
    assert steps(ask(client, since=more["cursor"])) == []
    # The old cursor is still valid, because the server does not store cursors.
    assert steps(ask(client, since=first["cursor"])) == [10, 11]


def test_a_restart_truncates_the_clients_points(store: FakeStore, client: FlaskClient) -> None:
    job = store.add("./a")
    job.append("loss", range(10), [1.0] * 10)
    cursor = ask(client)["cursor"]
    job.append("loss", [7, 8], [2.0, 2.0])
    (series,) = ask(client, since=cursor)["scalars"]
    assert (series["reset"], series["truncate_from_step"]) == (False, 7)
    assert [row["step"] for row in series["values"]] == [7, 8]


def test_a_replaced_file_resets_the_series(store: FakeStore, client: FlaskClient) -> None:
    job = store.add("./a")
    job.append("loss", range(10), [1.0] * 10)
    cursor = ask(client)["cursor"]
    job.replace("loss", [0, 1], [5.0, 6.0])
    answer = ask(client, since=cursor)
    assert answer["scalars"][0]["reset"] is True
    assert steps(answer) == [0, 1]


def test_too_many_new_points_are_downsampled_again(store: FakeStore, client: FlaskClient) -> None:
    job = store.add("./a")
    job.append("loss", range(10), [1.0] * 10)
    cursor = ask(client, max_points=20)["cursor"]
    job.append("loss", range(10, 30), [1.0] * 20)
    (exactly,) = ask(client, max_points=20, since=cursor)["scalars"]
    assert (exactly["reset"], len(exactly["values"])) == (False, 20)
    job.append("loss", [30], [1.0])
    (restarted,) = ask(client, max_points=20, since=cursor)["scalars"]
    assert restarted["reset"] is True
    assert restarted["values"][0]["step"] == 0
    assert len(restarted["values"]) <= 20


def test_a_cursor_covers_later_series(store: FakeStore, client: FlaskClient) -> None:
    store.add("./a").append("loss", [1], [1.0])
    question = {"train_id": ["./a", "./b"]}
    cursor = ask(client, **question)["cursor"]
    store.add("./b").append("loss", [1, 2], [1.0, 2.0])
    old, new = ask(client, **question, since=cursor)["scalars"]
    assert (old["reset"], old["values"]) == (False, [])
    assert (new["reset"], len(new["values"])) == (True, 2)


def test_a_cursor_of_another_request_returns_everything(
    store: FakeStore, client: FlaskClient
) -> None:
    store.add("./a").append("loss", range(3), [1.0] * 3)
    cursor = ask(client, end_step=1)["cursor"]
    answer = ask(client, since=cursor)
    assert answer["scalars"][0]["reset"] is True
    assert steps(answer) == [0, 1, 2]


def test_a_cursor_with_a_range_returns_new_points_in_it(
    store: FakeStore, client: FlaskClient
) -> None:
    job = store.add("./a")
    job.append("loss", range(3), [1.0] * 3)
    cursor = ask(client, end_step=3)["cursor"]
    job.append("loss", range(3, 6), [1.0] * 3)
    assert steps(ask(client, end_step=3, since=cursor)) == [3]


@given(
    st.lists(
        st.tuples(st.sampled_from(["append", "rewind", "replace"]), st.integers(1, 4)), max_size=12
    )
)
def test_increments_lead_to_the_same_points_as_a_full_request(
    history: list[tuple[str, int]],
) -> None:
    store = FakeStore()
    job = store.add("./a")
    job.append("loss", range(4), [0.0] * 4)
    client = create_app(Config("/data/summaries"), store).test_client()
    answer = ask(client)
    mine: list[dict[str, Any]] = answer["scalars"][0]["values"]
    for number, (deed, size) in enumerate(history, start=1):
        last = job.scalars["loss"].step[-1]
        values = [float(number)] * size
        if deed == "append":
            job.append("loss", range(last + 1, last + 1 + size), values)
        elif deed == "rewind":
            begin = max(0, last - 2)
            job.append("loss", range(begin, begin + size), values)
        else:
            job.replace("loss", range(size), values)
        answer = ask(client, since=answer["cursor"])
        (series,) = answer["scalars"]
        if series["reset"]:
            mine = []
        elif series["truncate_from_step"] is not None:
            mine = [row for row in mine if row["step"] < series["truncate_from_step"]]
        mine += series["values"]
        assert mine == ask(client)["scalars"][0]["values"]


@pytest.mark.parametrize("smoothing", ["ema:0.5", "twema:0.9", "mean:3", "gaussian:1"])
def test_increments_of_a_smoothed_series_equal_a_full_request(
    store: FakeStore, client: FlaskClient, smoothing: str
) -> None:
    job = store.add("./a")
    job.append("loss", [1, 2, 3], [1.0, 5.0, 2.0])
    first = ask(client, smoothing=smoothing)
    nothing = ask(client, smoothing=smoothing, since=first["cursor"])["scalars"][0]
    assert (nothing["reset"], nothing["values"]) == (False, [])
    job.append("loss", [4, 5], [9.0, 4.0])
    news = ask(client, smoothing=smoothing, since=first["cursor"])
    whole = smoothed(ask(client, smoothing=smoothing))
    kept = [] if news["scalars"][0]["reset"] else whole[:3]
    assert kept + smoothed(news) == whole


def test_a_time_weighted_average_is_sent_again_only_if_its_range_grows(
    store: FakeStore, client: FlaskClient
) -> None:
    job = store.add("./a")
    job.append("loss", [0, 50, 101], [1.0, 5.0, 2.0])
    twema = {"smoothing": "twema:0.99"}
    answer = ask(client, **twema)
    window = ask(client, end_step=50, **twema)
    mine = smoothed(answer)
    # 101 to 104 are 104 in five binary digits, 105 is 108.
    for step, resets in ((102, False), (104, False), (105, True), (106, False)):
        job.append("loss", [step], [float(step)])
        answer = ask(client, since=answer["cursor"], **twema)
        window = ask(client, since=window["cursor"], end_step=50, **twema)
        (series,) = answer["scalars"]
        assert series["reset"] == window["scalars"][0]["reset"] == resets
        mine = smoothed(answer) if resets else [*mine, *smoothed(answer)]
        assert mine == smoothed(ask(client, **twema))
    job.append("loss", [103], [0.0])
    answer = ask(client, since=answer["cursor"], **twema)
    assert answer["scalars"][0]["reset"]
    assert smoothed(answer) == smoothed(ask(client, **twema))
