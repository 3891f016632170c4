"""Imports from an object store: few requests, and what happens while the store fails."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from mindviz.datavisual.logs.storage.log_object import WHOLE_READ
from mindviz.datavisual.sql.database import Database
from mindviz.datavisual.sql.importer import ImportProgress
from tests.imported_logs import imported, note
from tests.mindviz_process import run, wait_until
from tests.object_server import SECRET_KEY, ObjectServer, Request, object_server
from tests.provider_logs import write_provider_logs
from tests.stored_tables import stored_tables
from tests.written_logs import tensorboard_log, write

NAME = "events.out.tfevents.1.host"


@pytest.fixture(scope="module")
def server() -> Iterator[ObjectServer]:
    with pytest.MonkeyPatch.context() as environment, object_server(environment) as server:
        yield server


@pytest.fixture(autouse=True)
def _no_faults(server: ObjectServer) -> Iterator[None]:
    server.counted()
    yield
    server.fault = lambda _: None


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    database = Database(str(tmp_path / "x.db"))
    yield database
    database.close()


def once(happens: Callable[[], object], when: Callable[[Request], bool]) -> Callable[..., None]:
    """A fault that does something before the first such request is answered."""
    lock, done = threading.Lock(), threading.Event()

    def fault(request: Request) -> None:
        with lock:
            if when(request) and not done.is_set():
                done.set()
                happens()

    return fault


def is_late(request: Request) -> bool:
    """Whether it reads values, after the log was scanned from its beginning."""
    return not request.is_listing and (request.first_byte or 0) > 300_000


def in_store(server: ObjectServer, prefix: str, *logs: bytes) -> str:
    for number, log in enumerate(logs):
        server.put(f"{prefix}/run{number}/{NAME}", log)
    return f"{server.url}/{prefix}"


def expected(directory: Path, *logs: bytes) -> dict[str, list[Any]]:
    """The tables after an import of the same logs from a disk."""
    for number, log in enumerate(logs):
        write(directory / f"run{number}", NAME, log)
    database = Database(str(directory / "fresh.db"))
    imported(database, directory)
    content = stored_tables(database, of_objects=True)
    database.close()
    return content


def test_values_of_a_log_take_few_requests(
    server: ObjectServer, database: Database, tmp_path: Path
) -> None:
    log = b"".join(map(note, range(200)))
    url = in_store(server, "values", log)
    server.counted()
    assert imported(database, url).values == 200
    assert server.counted()["GET"] <= 4  # 1 MB, read twice
    assert stored_tables(database, of_objects=True) == expected(tmp_path / "disk", log)


def test_distant_values_take_a_request_each(server: ObjectServer, database: Database) -> None:
    between = tensorboard_log([(step, 0.5) for step in range(1_600)])
    log = b"".join(note(step) + between * (14 if step else 1) for step in range(10))
    assert len(log) > WHOLE_READ
    url = in_store(server, "distant", log)
    server.counted()
    assert imported(database, url).values == 10
    assert server.counted()["GET"] <= 10 + 8


def test_all_kinds_of_values_are_imported_as_from_a_disk(
    server: ObjectServer, database: Database, tmp_path: Path
) -> None:
    write_provider_logs(tmp_path / "logs")
    imported(database, server.upload(tmp_path / "logs", "kinds/"))
    fresh = Database(str(tmp_path / "fresh.db"))
    imported(fresh, tmp_path / "logs")
    stored, of_disk = (stored_tables(one, of_objects=True) for one in (database, fresh))
    # Projector files have the store's times.
    for content in (stored, of_disk):
        del content["runs"], content["findings"]
    assert stored == of_disk
    fresh.close()


@pytest.mark.parametrize("later", ["longer", "shorter", "another"])
def test_an_object_replaced_while_it_is_read_is_stored_as_it_is_then(
    server: ObjectServer, database: Database, tmp_path: Path, later: str
) -> None:
    notes = [note(step) for step in range(200)]
    log = {
        "longer": b"".join([*notes, note(200)]),
        "shorter": b"".join(notes[:50]),
        "another": b"".join(reversed(notes)),
    }[later]
    url = in_store(server, later, b"".join(notes))
    server.fault = once(lambda: server.put(f"{later}/run0/{NAME}", log), is_late)
    assert imported(database, url).failed == {}
    imported(database, url)
    content, of_disk = stored_tables(database, of_objects=True), expected(tmp_path / "disk", log)
    assert content == of_disk


def test_an_object_deleted_while_it_is_read_is_not_stored(
    server: ObjectServer, database: Database, tmp_path: Path
) -> None:
    other = tensorboard_log([(1, 0.5)])
    url = in_store(server, "deleted", other, b"".join(map(note, range(200))))
    server.fault = once(lambda: server.delete(f"deleted/run1/{NAME}"), is_late)
    failed = imported(database, url).failed
    assert list(failed) == ["./run1"]
    assert "deleted while it was imported" in failed["./run1"]
    again = imported(database, url)
    assert (again.unchanged, again.failed) == (1, {})
    assert stored_tables(database, of_objects=True) == expected(tmp_path / "disk", other)


@pytest.mark.parametrize("fault", ["503 SlowDown", "500 InternalError", "cut", "refuse"])
def test_failed_requests_are_repeated(
    server: ObjectServer, database: Database, tmp_path: Path, fault: str
) -> None:
    logs = [b"".join(map(note, range(100))), tensorboard_log([(1, 0.5)])]
    url = in_store(server, f"fault{ord(fault[0])}{len(fault)}", *logs)
    seen: set[tuple[str, int | None]] = set()

    def fails_first(request: Request) -> str | None:
        """Each request fails once."""
        place = request.path, request.first_byte
        if place in seen:
            return None
        seen.add(place)
        return fault

    server.fault = fails_first
    assert imported(database, url).failed == {}
    assert len(seen) > 3
    assert stored_tables(database, of_objects=True) == expected(tmp_path / "disk", *logs)


def test_slow_answers_are_waited_for(
    server: ObjectServer, database: Database, tmp_path: Path
) -> None:
    logs = [tensorboard_log([(step, 0.5)]) for step in range(3)]
    url = in_store(server, "slow", *logs)
    asked, answered = threading.Event(), threading.Event()

    def slow(request: Request) -> None:
        if not request.is_listing:
            asked.set()
            answered.wait(30)

    server.fault = slow
    with ThreadPoolExecutor(1) as pool:
        result = pool.submit(imported, database, url)
        wait_until(asked.is_set, "a request")
        assert not result.done()
        answered.set()
        progress: ImportProgress = result.result()
    assert (progress.imported, progress.failed) == (3, {})
    assert stored_tables(database, of_objects=True) == expected(tmp_path / "disk", *logs)


def test_wrong_credentials_end_the_import_with_one_sentence(
    server: ObjectServer, tmp_path: Path
) -> None:
    url = in_store(server, "secret", tensorboard_log([(1, 0.5)]))
    server.fault = lambda _: "403 SignatureDoesNotMatch"
    ended = run("import", url, "--db", str(tmp_path / "x.db"))
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.count("\n") == 1
    assert "Permission denied (403 SignatureDoesNotMatch)" in ended.stderr
    assert SECRET_KEY not in ended.stderr


def test_objects_that_may_not_be_read_are_imported_later(
    server: ObjectServer, database: Database, tmp_path: Path
) -> None:
    log = tensorboard_log([(1, 0.5)])
    url = in_store(server, "forbidden", log)
    server.fault = lambda request: None if request.is_listing else "403 AccessDenied"
    progress = imported(database, url)
    assert (progress.imported, list(progress.failed)) == (0, ["./run0"])
    assert "403 AccessDenied" in progress.failed["./run0"]
    server.fault = lambda _: None
    assert imported(database, url).imported == 1
    assert stored_tables(database, of_objects=True) == expected(tmp_path / "disk", log)
