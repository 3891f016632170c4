from __future__ import annotations

import errno
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from uuid import uuid4

import pytest

from mindviz.datavisual.logs.storage import bucket
from mindviz.datavisual.logs.storage.bucket import check_readable, located, os_error
from mindviz.errors import StartError
from tests.object_server import ACCESS_KEY, SECRET_KEY, ObjectServer, Request
from tests.written_logs import loaded, rows, tensorboard_log

POINTS = [(step, 1.0) for step in range(20_000)]
LOG = tensorboard_log(POINTS)


@pytest.fixture
def url(server: ObjectServer) -> str:
    server.put("tfevents.1", LOG)
    return server.url


def assert_complete(url: str) -> None:
    store = loaded(url)
    assert rows(store.read_scalars("./", "loss")) == POINTS
    assert not store.status().problem_count


@pytest.mark.parametrize("fault", ["503 SlowDown", "500 InternalError", "cut", "refuse"])
def test_failed_requests_are_repeated(server: ObjectServer, url: str, fault: str) -> None:
    seen: set[Request] = set()

    def fails_once(request: Request) -> str | None:
        is_new = request not in seen
        seen.add(request)
        return fault if is_new else None

    server.fault = fails_once
    assert_complete(url)
    assert len(seen) > 1  # the listing and the log


def test_stalled_requests_are_repeated(
    server: ObjectServer, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = bucket._CLIENT | {"read_timeout": timedelta(milliseconds=300)}
    monkeypatch.setattr(bucket, "_CLIENT", options)
    faults = iter(["stall", None, "stall"])
    server.fault = lambda _: next(faults, None)
    assert_complete(url)
    assert next(faults, None) is None
    server.released.set()


def test_a_store_that_keeps_failing_is_reported_once_per_file(
    server: ObjectServer, url: str
) -> None:
    server.fault = lambda request: None if request.is_listing else "503 SlowDown"
    store = loaded(url)
    (file,) = store.log_files("./")
    (problem,) = file.problems
    assert (
        problem.detail == "Reading failed (The object store answers 503 SlowDown); it is retried."
    )
    assert server.counted()["GET"] < 60


@pytest.mark.parametrize(
    "status", ["403 InvalidAccessKeyId", "403 AccessDenied", "400 ExpiredToken"]
)
def test_wrong_credentials_are_one_sentence_without_secrets(
    server: ObjectServer, url: str, status: str
) -> None:
    server.fault = lambda _: status
    with pytest.raises(StartError) as raised:
        check_readable(url)
    message = str(raised.value)
    assert message.startswith(f"Cannot read {url!r}: Permission denied ({status}). Give them")
    assert SECRET_KEY not in message
    assert ACCESS_KEY not in message
    assert "http" not in message


def test_missing_credentials_are_one_sentence(
    tmp_path: Path, server: ObjectServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "none"))
    with pytest.raises(StartError, match=r"No AWS credentials found\. Give them as for"):
        check_readable(server.url)


def test_the_state_of_an_object_is_that_of_the_newest_listing(server: ObjectServer) -> None:
    bucket_of_server, _ = located(server.url)
    for size, prefix in ((1, "a"), (2, "a/b"), (3, "a")):
        server.put("a/b/x", bytes(size))
        bucket_of_server.list(prefix)
        assert bucket_of_server.state("a/b/x").size == size


def test_old_listings_are_dropped(server: ObjectServer) -> None:
    bucket_of_server, _ = located(server.url)
    server.put("first/x", b"1")
    bucket_of_server.list("first")
    for number in range(bucket._LISTINGS):
        bucket_of_server.list(f"other{number}")
    server.counted()
    assert bucket_of_server.state("first/x").size == 1
    assert server.counted() == {"HEAD": 1}


def test_a_profile_of_the_aws_cli_is_used(
    tmp_path: Path, server: ObjectServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    profiles = tmp_path / "credentials"
    profiles.write_text(f"[work]\naws_access_key_id={ACCESS_KEY}\naws_secret_access_key=x\n")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(profiles))
    monkeypatch.setenv("AWS_PROFILE", "work")
    assert not check_readable(server.url)
    assert all(request.is_signed for request in server.requests)


def test_a_public_bucket_needs_no_credentials(
    tmp_path: Path, server: ObjectServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "none"))
    monkeypatch.setenv("AWS_SKIP_SIGNATURE", "true")
    check_readable(server.url)
    assert not any(request.is_signed for request in server.requests)


@pytest.fixture
def unreachable(server: ObjectServer, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
    return f"s3://none-{uuid4().hex}"  # type: ignore[return-value]


def test_a_store_that_cannot_be_reached_is_one_sentence(unreachable: str) -> None:
    with pytest.raises(StartError) as raised:
        check_readable(unreachable)
    assert str(raised.value) == f"Cannot read {unreachable!r}: The object store cannot be reached."


@pytest.mark.parametrize(
    ("status", "number", "reason"),
    [
        ("301 PermanentRedirect", errno.EINVAL, "The bucket is in another region: set AWS_REGION"),
        ("404 NoSuchKey", errno.ENOENT, "No such object or bucket"),
        ("400 Odd", errno.EIO, "The object store answers 400 Odd"),
    ],
)
def test_other_answers_are_named(
    server: ObjectServer, url: str, status: str, number: int, reason: str
) -> None:
    store, _ = located(url)
    server.fault = lambda _: status
    with pytest.raises(OSError, match=reason) as raised:
        store.get("tfevents.1", 0, 10)
    assert raised.value.errno == number


def test_an_account_for_azure_is_required(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AZURE_STORAGE_ACCOUNT_NAME", raising=False)
    with pytest.raises(StartError, match="Cannot read 'az://none/x': Set AZURE_STORAGE_ACCOUNT_"):
        check_readable("az://none/x")


def test_an_unknown_error_shows_only_its_type() -> None:
    error = os_error(ValueError(f"https://x/?sig={SECRET_KEY}"))
    assert str(error) == f"[Errno {errno.EIO}] The object store cannot be read (ValueError)"
