"""MindInsight 2.3.1 and mindviz answer the same to every route under `/v1/mindinsight`."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from mindviz.summary import EvalLineage, SummaryCollector
from tests.mindspore_graphs import write_examples
from tests.peers import contract_logs
from tests.peers.contract_differences import compare
from tests.peers.contract_questions import LINEAGES, questions_over_many_jobs, tags
from tests.peers.contract_servers import CHECKOUT, Pair, Server, both, post
from tests.peers.mindinsight_comparison import mistakes, sort_out
from tests.summary.regression import LANDSCAPE, Regression, train

SAMPLES = CHECKOUT.parent / "shared" / "samples" / "mindspore"
Serve = Callable[[Path], Pair]


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """Start both on a base dir."""
    with ExitStack() as running:
        yield lambda base_dir: running.enter_context(both(base_dir, tmp_path / "workspace"))


def assert_equal(pair: Pair) -> None:
    wrong, met = mistakes(pair)
    assert met, "nothing was compared"
    assert not wrong, "\n".join(map(str, wrong))


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="the sample logs are not here")
@pytest.mark.parametrize("last_begun_first", [False, True])
def test_of_the_samples_all_answers_are_equal(
    serve: Serve, tmp_path: Path, *, last_begun_first: bool
) -> None:
    shutil.copytree(SAMPLES, tmp_path / "logs", copy_function=shutil.copyfile)
    contract_logs.spread_times(tmp_path / "logs", last_begun_first=last_begun_first)
    assert_equal(serve(tmp_path / "logs"))


def test_jobs_with_a_disputed_last_update_are_compared_in_order_of_their_ids(
    serve: Serve, tmp_path: Path
) -> None:
    for number in range(3):
        contract_logs.write_lineage(tmp_path / "logs" / f"trained {number}", number)
    contract_logs.spread_times(tmp_path / "logs", last_begun_first=True)
    assert_equal(serve(tmp_path / "logs"))


def test_of_logs_within_its_limits_all_answers_are_equal(serve: Serve, tmp_path: Path) -> None:
    contract_logs.write_below(tmp_path / "logs")
    assert_equal(serve(tmp_path / "logs"))


def test_of_small_graphs_all_answers_are_equal(serve: Serve, tmp_path: Path) -> None:
    write_examples(tmp_path / "graphs")
    assert_equal(serve(tmp_path / "graphs"))


def test_answers_about_our_recorders_logs_are_equal(serve: Serve, tmp_path: Path) -> None:
    contract_logs.record_with_our_recorder(tmp_path / "logs" / "run")
    assert_equal(serve(tmp_path / "logs"))


def test_answers_about_our_collectors_logs_are_equal(serve: Serve, tmp_path: Path) -> None:
    for number in (1, 2):
        collector = SummaryCollector(
            tmp_path / "logs" / f"run{number}",
            5 * number,
            collect_specified_data={"collect_landscape": LANDSCAPE},
            custom_lineage_data={"number": number},
        )
        train(collector, Regression())
        collector.evaluated(EvalLineage(metric={"error": 0.5 / number}, valid_dataset_size=64), 30)
    assert_equal(serve(tmp_path / "logs"))


def test_of_as_many_jobs_as_it_lists_all_answers_are_equal(serve: Serve, tmp_path: Path) -> None:
    contract_logs.write_jobs(tmp_path / "logs", contract_logs.JOBS)
    pair = serve(tmp_path / "logs")
    for server in (pair.ours, pair.theirs):
        server.wait_until_listed()
    wrong, _ = sort_out(compare(pair, questions_over_many_jobs()))
    assert not wrong, "\n".join(map(str, wrong))


def test_more_jobs_than_mindinsight_lists_are_listed(serve: Serve, tmp_path: Path) -> None:
    count = contract_logs.JOBS + 100
    contract_logs.write_jobs(tmp_path / "logs", count)
    pair = serve(tmp_path / "logs")
    for server in (pair.ours, pair.theirs):
        server.wait_until_listed()
    pages = [
        pair.ours.content("/datavisual/train-jobs", limit="999", offset=page) for page in ("0", "1")
    ]
    ours = {job["train_id"] for page in pages for job in page["train_jobs"]}
    assert len(ours) == count
    theirs = {job["train_id"] for job in pair.theirs.train_jobs()}
    assert len(theirs) == contract_logs.JOBS
    assert theirs < ours
    assert lineages(pair.theirs).items() <= lineages(pair.ours).items()


def lineages(server: Server) -> dict[str, str]:
    """summary_dir -> its entry; marks are numbers that depend on the other jobs."""
    listed = server.ask(post(LINEAGES, {})).content["object"]
    for item in listed:
        del item["model_lineage"]["dataset_mark"]
        # Both mixed up by MindInsight.
        for child in item["dataset_graph"].get("children", []):
            child.pop("operations", None)
    return {item["summary_dir"]: repr(sorted(flat(item))) for item in listed}


def flat(value: Any, path: str = "") -> Iterator[str]:
    """Every innermost value, with where it is."""
    if isinstance(value, dict):
        for name, item in value.items():
            yield from flat(item, f"{path}/{name}")
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from flat(item, f"{path}/{number}")
    else:
        # JSON has one type of numbers.
        yield f"{path}={float(value) if isinstance(value, int) else value!r}"


def test_longer_series_contain_all_of_its_points(serve: Serve, tmp_path: Path) -> None:
    contract_logs.write_above(tmp_path / "logs")
    pair = serve(tmp_path / "logs")
    for server in (pair.ours, pair.theirs):
        server.wait_until_loaded()
    compared = 0
    for job in pair.theirs.train_jobs():
        (own,) = pair.ours.content("/datavisual/train-jobs", train_id=job["train_id"])["train_jobs"]
        for plugin, its_tags in job["plugins"].items():
            assert {*its_tags} <= {*tags(own, plugin)}, (job["train_id"], plugin)
            for tag in its_tags:
                read = READ.get(plugin)
                if read is not None:
                    theirs, ours = (
                        read(server, job["train_id"], tag) for server in (pair.theirs, pair.ours)
                    )
                    assert {*theirs} <= {*ours}, (job["train_id"], tag)
                    compared += len(ours) > len(theirs)
    # A series of each kind is longer at ours.
    assert compared >= len(READ)


def read_scalars(server: Server, train_id: str, tag: str) -> list[str]:
    series = {"train_id": train_id, "tag": tag, "max_points": "all"}
    return points(server.content("/datavisual/scalar/metadata", **series)["metadatas"])


def read_images(server: Server, train_id: str, tag: str) -> list[str]:
    series = {"train_id": train_id, "tag": tag}
    return points(server.content("/datavisual/image/metadata", **series)["metadatas"])


def read_histograms(server: Server, train_id: str, tag: str) -> list[str]:
    """Without the buckets, which depend on all kept steps."""
    series = {"train_id": train_id, "tag": tag}
    histograms = server.content("/datavisual/histograms", **series)["histograms"]
    return points([{name: item[name] for name in ("step", "wall_time")} for item in histograms])


def read_tensors(server: Server, train_id: str, tag: str) -> list[str]:
    series = {"train_id": train_id, "tag": tag, "detail": "stats"}
    (series_item,) = server.content("/datavisual/tensors", **series)["tensors"]
    return points(series_item["values"])


def points(items: Sequence[Any]) -> list[str]:
    """Hashable points, without zeros, which may be invented."""
    return [
        " ".join(sorted(fact for fact in flat(item) if not fact.endswith(("=0.0", "=None"))))
        for item in items
    ]


READ: dict[str, Callable[[Server, str, str], list[str]]] = {
    "scalar": read_scalars,
    "image": read_images,
    "histogram": read_histograms,
    "tensor": read_tensors,
}
"""Plugin -> its value at each step of a series."""
