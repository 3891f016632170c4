from __future__ import annotations

from typing import Any

from flask.testing import FlaskClient

from mindviz.datavisual.data_transform.findings import Finding, FindingKind
from tests.experiment_fake import FakeExperiment


def ask(client: FlaskClient, path: str, status: int = 200, /, **query: Any) -> Any:
    response = client.get(f"/v1/mindviz/{path}", query_string=query)
    assert response.status_code == status
    return response.get_json()


def damaged(experiment: FakeExperiment) -> None:
    experiment.problems = (Finding(FindingKind.OUTSIDE, "link"),)
    experiment.add("./a").problems = (
        Finding(FindingKind.TRUNCATED, "a/events", 7, "The last record is cut off."),
        Finding(FindingKind.BAD_PAYLOAD, "a/events", 3, lost_records=2),
    )
    experiment.add("./b").problems = (Finding(FindingKind.LARGE_TENSOR, "b/events"),)


def test_all_findings_are_listed_with_their_jobs(
    experiment: FakeExperiment, client: FlaskClient
) -> None:
    damaged(experiment)
    answer = ask(client, "findings")
    assert answer["total"] == 4
    assert answer["counts"]["truncated"] == 1
    jobs = [(one["train_id"], one["kind"], one["harmless"]) for one in answer["findings"]]
    assert jobs == [
        (None, "outside", False),
        ("./a", "truncated", False),
        ("./a", "bad_payload", False),
        ("./b", "large_tensor", True),
    ]
    assert answer["findings"][2]["lost_records"] == 2


def test_findings_are_chosen_by_job_and_kind_and_paged(
    experiment: FakeExperiment, client: FlaskClient
) -> None:
    damaged(experiment)
    answer = ask(client, "findings", train_id=["./a", "./gone"], limit=1, offset=1)
    assert (answer["total"], [one["offset"] for one in answer["findings"]]) == (2, [3])
    answer = ask(client, "findings", kind="outside")
    assert [one["train_id"] for one in answer["findings"]] == [None]
    ask(client, "findings", 400, limit=5000)


def test_signs_lead_to_a_place_in_a_chart(experiment: FakeExperiment, client: FlaskClient) -> None:
    job = experiment.add("./a")
    job.append("loss", [1, 2, 3, 2, 3], [0.5, 0.5, 0.5, 0.5, float("nan")])
    job.append("acc", [1, 2], [0.5, 0.5])
    answer = ask(client, "findings/series", train_id="./a")
    assert (answer["total"], answer["counts"]) == (2, {"restart": 1, "nan": 1})
    signs = [(one["tag"], one["kind"], one["step"], one["end_step"]) for one in answer["signs"]]
    assert signs == [("loss", "restart", 2, 3), ("loss", "nan", 3, 3)]
    assert ask(client, "findings/series", train_id="./a", kind="nan")["total"] == 1
    ask(client, "findings/series", 404, train_id="./b")
    ask(client, "findings/series", 400)


def test_a_finding_without_a_point_before_it_has_no_place(
    experiment: FakeExperiment, client: FlaskClient
) -> None:
    damaged(experiment)
    route = "findings/place"
    assert ask(client, route, train_id="./a", path="a/events", offset=7) == {"place": None}
    ask(client, route, 404, train_id="./gone", path="a/events", offset=7)
    ask(client, route, 400, train_id="./a", path="a/events", offset=-1)
