"""Responses: made once, cached within bounds, not sent again if unchanged."""

from __future__ import annotations

import gc
import gzip
import threading
import tracemalloc
import urllib.parse
from concurrent.futures import ThreadPoolExecutor

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import given
from hypothesis import strategies as st

from mindviz.backend import responses as responses_module
from mindviz.backend.responses import ENTRY_BYTES, BodyCache, Pieces, Responses, is_loopback
from mindviz.deadline import LongWorkAhead, allow, doing
from mindviz.errors import Cancelled
from tests.store_fake import FakeStore

SCALARS = "/v1/mindviz/datavisual/scalars?train_id=./a&tag=loss/scalar"
ELSEWHERE = {"REMOTE_ADDR": "192.0.2.1"}


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 40)), max_size=40))
def test_the_cache_returns_what_make_returns(requests: list[tuple[int, int]]) -> None:
    max_bytes = 3 * ENTRY_BYTES
    cache = BodyCache(max_bytes=max_bytes)
    for key, size in requests:
        answer = cache.get((key, size), lambda size=size: b"x" * size)  # type: ignore[misc]
        assert answer == b"x" * size
        assert cache.bytes <= max_bytes


def test_the_least_recently_used_body_is_evicted() -> None:
    cache = BodyCache(max_bytes=2 * (ENTRY_BYTES + 4))
    computed: list[str] = []

    def ask(key: str) -> None:
        def make() -> bytes:
            computed.append(key)
            return b"xxxx"

        cache.get(key, make)

    for key in ("a", "b", "a", "c", "a", "b"):
        ask(key)
    assert computed == ["a", "b", "c", "b"]


def test_concurrent_requests_share_one_computation() -> None:
    cache = BodyCache()
    begun, go = threading.Event(), threading.Event()
    computed = 0

    def make() -> bytes:
        nonlocal computed
        computed += 1
        begun.set()
        assert go.wait(30)
        return b"answer"

    with ThreadPoolExecutor(8) as pool:
        first = pool.submit(cache.get, "key", make)
        assert begun.wait(30)
        others = [pool.submit(cache.get, "key", make) for _ in range(7)]
        go.set()
        assert {future.result(30) for future in [first, *others]} == {b"answer"}
    assert computed == 1


@pytest.mark.parametrize("reason", [Cancelled, LongWorkAhead])
def test_if_one_request_stops_another_computes_the_body(reason: type[BaseException]) -> None:
    cache = BodyCache()
    begun, go = threading.Event(), threading.Event()

    def stop() -> bytes:
        begun.set()
        assert go.wait(30)
        raise reason

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(cache.get, "key", stop)
        assert begun.wait(30)
        second = pool.submit(cache.get, "key", lambda: b"answer")
        go.set()
        assert second.result(30) == b"answer"
        with pytest.raises(reason):
            first.result(30)


def test_a_short_request_does_not_wait_for_long_work() -> None:
    cache = BodyCache()
    begun, go = threading.Event(), threading.Event()

    def make_in_long_pool() -> bytes:
        begun.set()
        assert go.wait(30)
        return b"answer"

    def ask_in_long_pool() -> bytes:
        with doing(allow(60)):
            return cache.get("key", make_in_long_pool)

    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(ask_in_long_pool)
        assert begun.wait(30)
        with doing(allow(60, is_short=True)), pytest.raises(LongWorkAhead):
            cache.get("key", lambda: b"another")
        go.set()
        assert first.result(30) == b"answer"


def test_a_failure_reaches_all_waiting_requests_and_is_not_cached() -> None:
    cache = BodyCache()

    def fail() -> bytes:
        raise LookupError

    with pytest.raises(LookupError):
        cache.get("key", fail)
    assert cache.get("key", lambda: b"now") == b"now"


def test_a_body_larger_than_the_cache_is_returned() -> None:
    cache = BodyCache(max_bytes=ENTRY_BYTES + 3)
    assert cache.get("key", lambda: b"too large") == b"too large"
    assert cache.bytes == 0


def test_the_cache_counts_long_keys(store: FakeStore, client: FlaskClient) -> None:
    store.add("./a").append("loss", [1], [1.0])
    client.get(SCALARS)
    tracemalloc.start()
    try:
        for number in range(20):
            client.get(f"{SCALARS}&x={number}{'x' * 60_000}")
        urllib.parse.clear_cache()  # type: ignore[attr-defined] # of the client that asks
        gc.collect()
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert held < 600_000  # half the size of the requests


def test_a_response_is_made_once_per_version(store: FakeStore, client: FlaskClient) -> None:
    job = store.add("./a")
    job.append("loss", [1], [1.0])
    first = client.get(SCALARS)
    assert client.get(SCALARS).data == first.data
    assert store.reads == 1
    job.append("loss", [2], [2.0])
    assert client.get(SCALARS).data != first.data
    assert store.reads == 2


def test_a_response_that_is_not_to_be_stored_is_not_cached(
    store: FakeStore, client: FlaskClient
) -> None:
    store.add("./a").append("loss", [1], [1.0])
    no_store = {"Cache-Control": "no-store"}
    first = client.get(SCALARS, headers=no_store)
    assert client.get(SCALARS).data == first.data
    assert store.reads == 2
    assert client.get(SCALARS, headers=no_store).data == first.data
    assert store.reads == 2


def test_an_unchanged_response_is_not_sent_again(store: FakeStore, client: FlaskClient) -> None:
    job = store.add("./a")
    job.append("loss", [1], [1.0])
    etag = client.get(SCALARS).headers["ETag"]
    again = client.get(SCALARS, headers={"If-None-Match": etag})
    assert (again.status_code, again.data) == (304, b"")
    assert again.headers["ETag"] == etag
    assert store.reads == 1
    job.append("loss", [2], [2.0])
    assert client.get(SCALARS, headers={"If-None-Match": etag}).status_code == 200


def test_different_requests_have_different_etags(store: FakeStore, client: FlaskClient) -> None:
    store.add("./a").append("loss", [1], [1.0])
    arrow = {"Accept": "application/vnd.apache.arrow.stream"}
    tags = [
        client.get(SCALARS).headers["ETag"],
        client.get(SCALARS, headers=arrow).headers["ETag"],
        client.get(f"{SCALARS}&max_points=7").headers["ETag"],
        client.get(SCALARS.replace("mindviz", "mindinsight")).headers["ETag"],
    ]
    assert len(set(tags)) == len(tags)


def test_etags_do_not_outlive_the_process(app: Flask, store: FakeStore) -> None:
    from mindviz.backend.app import create_app
    from mindviz.config import Config

    store.add("./a").append("loss", [1], [1.0])
    restarted = create_app(Config("/data/summaries"), store)
    tags = {each_app.test_client().get(SCALARS).headers["ETag"] for each_app in (app, restarted)}
    assert len(tags) == 2


def test_large_json_is_compressed_for_remote_clients(store: FakeStore, client: FlaskClient) -> None:
    store.add("./a").append("loss", range(1000), [0.5] * 1000)
    takes = {"Accept-Encoding": "gzip, br"}
    plain = client.get(SCALARS, environ_overrides=ELSEWHERE)
    packed = client.get(SCALARS, headers=takes, environ_overrides=ELSEWHERE)
    near = client.get(SCALARS, headers=takes, environ_overrides={"REMOTE_ADDR": "127.0.0.1"})
    refused = client.get(
        SCALARS, headers={"Accept-Encoding": "gzip;q=0"}, environ_overrides=ELSEWHERE
    )
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.data) == plain.data == near.data == refused.data
    assert len(packed.data) < len(plain.data) / 3
    assert "Accept-Encoding" in plain.headers["Vary"]
    for response in (plain, near, refused):
        assert "Content-Encoding" not in response.headers
    small = client.get("/v1/mindviz/status", headers=takes, environ_overrides=ELSEWHERE)
    assert "Content-Encoding" not in small.headers


@pytest.mark.parametrize("address", ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"])
def test_loopback_addresses(address: str) -> None:
    assert is_loopback(address)
    assert not is_loopback("192.0.2.1")
    assert not is_loopback("")


def test_cached_bodies_take_a_small_part_of_the_memory(app: Flask) -> None:
    responses = Responses(FakeStore("/data"), max_memory=32 * 3 * (1_000 + ENTRY_BYTES))
    computed: list[int] = []

    def body(number: int) -> bytes:
        computed.append(number)
        return b"a" * 1_000

    def ask(number: int) -> None:
        with app.test_request_context(f"/{number}"):
            responses.cached((1,), lambda: body(number))

    for number in (1, 2, 3, 1, 4, 3, 1, 2):
        ask(number)
    assert computed == [1, 2, 3, 4, 2]


def test_large_pieces_are_streamed_and_small_ones_cached(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(responses_module, "MAX_CACHED_BODY", 1000)
    responses = Responses(FakeStore("/data"))
    computed: list[int] = []

    def make(size: int) -> Pieces:
        computed.append(size)
        return Pieces.of([b"a" * size, memoryview(b"b" * size)])

    for size, times in ((100, 1), (1000, 2)):
        computed.clear()
        for _ in range(2):
            with app.test_request_context(f"/{size}"):
                response = responses.cached((1,), lambda: make(size))  # noqa: B023 -- called at once
                assert response.get_data() == b"a" * size + b"b" * size
                assert response.headers["Content-Length"] == str(2 * size)
        assert len(computed) == times
