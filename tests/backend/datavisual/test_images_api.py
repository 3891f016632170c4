"""Images over HTTP."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from mindviz.datavisual.series.time_series import Image
from tests.store_fake import START, FakeStore

PNG = b"\x89PNG\r\n\x1a\n" + bytes(30)
JPEG = b"\xff\xd8\xff\xe0" + bytes(30)
QUERY = "train_id=./a&tag=cat/image"


@pytest.fixture(autouse=True)
def images(store: FakeStore) -> None:
    images = [Image(3, 2, (PNG, JPEG)), Image(5, 4, (JPEG,))]
    store.add("./a").add_values("image", "cat", [10, 20], images)


def test_metadata_has_the_size_of_each_step(client: FlaskClient, prefix: str) -> None:
    answer = client.get(f"{prefix}/datavisual/image/metadata?{QUERY}").get_json()
    assert answer["metadatas"] == [
        {"wall_time": START + 10, "step": 10, "width": 3, "height": 2},
        {"wall_time": START + 20, "step": 20, "width": 5, "height": 4},
    ]
    assert ("total" in answer) == (prefix == "/v1/mindviz")


def test_an_image_is_served_as_logged_with_its_type(client: FlaskClient, prefix: str) -> None:
    url = f"{prefix}/datavisual/image/single-image?{QUERY}"
    first, newest = client.get(f"{url}&step=10"), client.get(f"{url}&step=-1")
    assert (first.data, first.content_type) == (PNG, "image/png")
    assert (newest.data, newest.content_type) == (JPEG, "image/jpeg")
    assert first.headers["X-Content-Type-Options"] == "nosniff"


def test_a_step_with_several_images_has_samples_under_our_prefix(client: FlaskClient) -> None:
    query = f"datavisual/image/single-image?{QUERY}&step=10&sample="
    assert client.get(f"/v1/mindviz/{query}1").data == JPEG
    assert client.get(f"/v1/mindviz/{query}2").get_json()["error_code"] == "5054500D"
    assert client.get(f"/v1/mindinsight/{query}1").data == PNG


def test_images_are_never_compressed_again(store: FakeStore, client: FlaskClient) -> None:
    large = PNG + bytes(100_000)
    store.jobs["./a"].add_values("image", "cat", [1], [Image(3, 2, (large,))])
    response = client.get(
        f"/v1/mindviz/datavisual/image/single-image?{QUERY}&step=1",
        headers={"Accept-Encoding": "gzip"},
        environ_overrides={"REMOTE_ADDR": "192.0.2.1"},
    )
    assert response.data == large
    assert "Content-Encoding" not in response.headers


@pytest.mark.parametrize(
    ("query", "code"),
    [
        (f"{QUERY}", "50540003"),
        (f"{QUERY}&step=", "50540003"),
        (f"{QUERY}&step=1.0", "50540001"),
        (f"{QUERY}&step=11", "5054500D"),
        (f"{QUERY}&step=9223372036854775807", "5054500D"),
        ("train_id=./a&tag=dog/image&step=10", "5054500D"),
        ("train_id=./a&tag=cat&step=10", "5054500D"),
        ("train_id=./b&tag=cat/image&step=10", "50545005"),
    ],
)
def test_missing_objects_have_the_contracts_code(
    client: FlaskClient, prefix: str, query: str, code: str
) -> None:
    response = client.get(f"{prefix}/datavisual/image/single-image?{query}")
    assert (response.status_code, response.get_json()["error_code"]) == (400, code)


def test_a_damaged_image_is_reported_and_others_are_listed(
    store: FakeStore, client: FlaskClient, prefix: str
) -> None:
    job = store.jobs["./a"]
    job.damage("image", "cat", 0)
    answer = client.get(f"{prefix}/datavisual/image/metadata?{QUERY}").get_json()
    assert [row["step"] for row in answer["metadatas"]] == [20]
    if prefix == "/v1/mindviz":
        assert [problem["step"] for problem in answer["problems"]] == [10]
    response = client.get(f"{prefix}/datavisual/image/single-image?{QUERY}&step=10")
    assert (response.status_code, response.get_json()["error_code"]) == (400, "50545015")
