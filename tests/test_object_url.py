from __future__ import annotations

import pytest

from mindviz import object_url
from mindviz.errors import ExtraNotInstalled, StartError
from mindviz.object_url import checked_object_url, is_object_url


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("s3://bucket", "s3://bucket"),
        ("S3://bucket/", "s3://bucket"),
        ("gs://bucket/a/b c/", "gs://bucket/a/b c"),
        ("az://container/x=1", "az://container/x=1"),
    ],
)
def test_urls_have_one_form(text: str, url: str) -> None:
    assert is_object_url(text)
    assert checked_object_url(text) == url


@pytest.mark.parametrize("text", ["/s3://x", "s3:/bucket", "sqlite:///x.db", "https://host", ""])
def test_other_locations_are_no_objects(text: str) -> None:
    assert not is_object_url(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("s3://", "names no bucket"),
        ("s3:///prefix", "names no bucket"),
        ("s3://bucket/a//b", "an empty part"),
        ("s3://bucket/a/../b", "an empty part"),
    ],
)
def test_malformed_urls_are_refused(text: str, reason: str) -> None:
    with pytest.raises(StartError, match=reason):
        checked_object_url(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("s3://user:hunter2@bucket/x", r"^A s3:// URL must not hold credentials: set them as for"),
        ("gs://hunter2@bucket", r"must not hold credentials"),
        ("s3://user:hunter2/+@bucket/x", r"must not hold credentials"),
        ("az://container/x?sig=hunter2", r"remove the part from '\?' or '#'"),
    ],
)
def test_credentials_are_refused_and_not_repeated(text: str, reason: str) -> None:
    with pytest.raises(StartError, match=reason) as raised:
        checked_object_url(text)
    assert "hunter2" not in str(raised.value)


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(object_url, "find_spec", lambda _: None)
    with pytest.raises(ExtraNotInstalled, match=r"pip install 'mindviz\[cloud\]'"):
        checked_object_url("s3://bucket")
