from __future__ import annotations

import errno
import random

import pytest

from mindviz.datavisual.logs.storage import log_object
from mindviz.datavisual.logs.storage.log_object import FIRST_READ, WHOLE_READ, LogObject
from tests.object_server import ObjectServer, Request
from tests.written_logs import loaded, rows, tensorboard_log

CONTENT = random.Random(16).randbytes(13_000_000)


def written(server: ObjectServer, content: bytes = CONTENT) -> LogObject:
    server.put("x", content)
    return LogObject(f"{server.url}/x")


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Logs of 1 MB take several requests."""
    monkeypatch.setattr(log_object, "WHOLE_READ", 0)
    monkeypatch.setattr(log_object, "BLOCK", FIRST_READ)


def test_any_reads_are_of_the_object(server: ObjectServer) -> None:
    dice = random.Random(4)
    log = written(server)
    for expected in (0, 0, WHOLE_READ, len(CONTENT)):
        with log.opened(expected) as file:
            at = 0
            for _ in range(80):
                size = dice.choice((1, 100, 70_000, 262_144, 1_000_000))
                at = max(0, at + dice.choice((0, 0, size, 200_000, -50_000, 3_000_000)))
                assert bytes(file.read(at, size)) == CONTENT[at : at + size]
                at = min(at + size, len(CONTENT))


def test_a_small_object_takes_one_request(server: ObjectServer) -> None:
    with written(server, CONTENT[:FIRST_READ]).opened() as file:
        assert file.status.st_size == FIRST_READ
        assert bytes(file.read(0, 2 * FIRST_READ)) == CONTENT[:FIRST_READ]
        assert file.continues(file.mark(FIRST_READ))
        assert not file.read(FIRST_READ, 10)
    assert server.counted() == {"GET": 1}


def test_an_object_that_is_read_as_a_whole_takes_one_request(server: ObjectServer) -> None:
    content = CONTENT[:WHOLE_READ]
    with written(server, content).opened(len(content)) as file:
        read = [bytes(file.read(at, 262_144)) for at in range(0, len(content), 262_144)]
        assert file.continues(file.mark(len(content)))
    assert b"".join(read) == content
    assert server.counted() == {"GET": 1}


def test_a_large_object_that_is_read_as_a_whole_takes_large_blocks(server: ObjectServer) -> None:
    with written(server).opened(len(CONTENT)) as file:
        read = [bytes(file.read(at, 262_144)) for at in range(0, len(CONTENT), 262_144)]
    assert b"".join(read) == CONTENT
    assert server.counted() == {"GET": 4}


def test_a_large_object_is_requested_in_growing_blocks(server: ObjectServer) -> None:
    with written(server).opened() as file:
        read = [bytes(file.read(at, 262_144)) for at in range(0, len(CONTENT), 262_144)]
        file.mark(len(CONTENT))
    assert b"".join(read) == CONTENT
    assert server.counted() == {"GET": 6}


def test_reading_from_the_start_after_a_look_ahead_takes_growing_blocks(
    server: ObjectServer,
) -> None:
    with written(server).opened() as file:
        file.read(0, 262_144)
        file.read(12_000_000, 262_144)
        server.counted()
        read = [bytes(file.read(at, 262_144)) for at in range(0, 10_000_000, 262_144)]
    assert b"".join(read) == CONTENT[: len(b"".join(read))]
    assert server.counted()["GET"] < 10


def test_a_single_value_takes_one_request(server: ObjectServer) -> None:
    for at, size in ((5_000_000, 100), (1_000, 100), (5_000_000, 2_000_000)):
        with written(server).opened() as file:
            assert bytes(file.read(at, size)) == CONTENT[at : at + size]
        assert server.counted() == {"GET": 1}


def test_an_empty_object_is_read(server: ObjectServer) -> None:
    with written(server, b"").opened() as file:
        assert file.status.st_size == 0
        assert not file.read(0, 100)


def test_the_status_of_a_listed_object_needs_no_request(server: ObjectServer) -> None:
    server.put("tfevents.1", tensorboard_log([(1, 0.5)]))
    log = LogObject(f"{server.url}/tfevents.1")
    size = log.status().st_size
    assert server.counted() == {"HEAD": 1}
    loaded(server.url)
    server.counted()
    assert log.status().st_size == size
    assert not server.counted()


def test_bytes_of_two_versions_are_never_mixed(server: ObjectServer) -> None:
    log = written(server)
    with log.opened() as file:
        file.read(0, 10)
        server.put("x", CONTENT[::-1])
        with pytest.raises(OSError, match="replaced while it was read") as raised:
            file.read(5_000_000, 10)
    assert raised.value.errno == errno.ESTALE


@pytest.mark.usefixtures("small_blocks")
def test_a_log_that_is_replaced_while_it_is_read_is_read_again(server: ObjectServer) -> None:
    old, new = (tensorboard_log([(step, value) for step in range(20_000)]) for value in (1.0, 2.0))
    server.put("tfevents.1", old)

    def replace_before_the_second(request: Request) -> None:
        if request.first_byte == FIRST_READ:
            server.fault = lambda _: None
            server.put("tfevents.1", new)

    server.fault = replace_before_the_second
    store = loaded(server.url)
    assert rows(store.read_scalars("./", "loss")) == [(step, 2.0) for step in range(20_000)]


@pytest.mark.usefixtures("small_blocks")
def test_a_log_that_is_deleted_while_it_is_read_keeps_what_was_read(server: ObjectServer) -> None:
    server.put("tfevents.1", tensorboard_log([(step, 1.0) for step in range(20_000)]))

    def delete_before_the_second(request: Request) -> None:
        if request.first_byte == FIRST_READ:
            server.fault = lambda _: None
            server.delete("tfevents.1")

    server.fault = delete_before_the_second
    store = loaded(server.url)
    (file,) = store.log_files("./")
    assert "No such object or bucket" in file.problems[0].detail


def test_files_outside_the_base_dir_are_refused(server: ObjectServer) -> None:
    server.put("secret", b"1")
    log = LogObject(f"{server.url}/logs/run/../../secret", f"{server.url}/logs")
    for read in (log.opened, log.status):
        with pytest.raises(OSError, match="Outside the base dir"):
            read()
    inside = LogObject(f"{server.url}/logs/run/../../secret", server.url)
    assert inside.head(1) == b"1"
