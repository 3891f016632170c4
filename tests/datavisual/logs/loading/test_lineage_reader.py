"""Facts from the file to the store."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindviz.config import Config
from mindviz.datavisual.logs.loading import lineage_reader
from mindviz.datavisual.logs.log_store import (
    LogStore,
)
from mindviz.datavisual.payloads import config_text as config_text_module
from mindviz.datavisual.series.findings import FindingKind
from mindviz.datavisual.series.lineage_facts import NO_FACTS, LineageFacts, MetricTag
from mindviz.wire.encode import delimited, double_field, frames
from mindviz.wire.encode_tensorboard import text
from mindviz.wire.framing import Framing
from tests.lineage_logs import (
    DATASET,
    START,
    config_text,
    dataset,
    evaluation,
    experiment,
    mindspore_lineage,
    session_end,
    session_start,
    training,
    user_defined,
    visualdl_text,
    write_mindspore_job,
    write_tensorboard_job,
    write_visualdl_job,
)
from tests.written_logs import loaded, tensorboard_log, write


def facts_of(directory: Path, train_id: str = "./") -> LineageFacts:
    return loaded(directory).read_lineage(train_id).facts


def test_a_mindspore_job_has_the_facts_of_its_lineage_file(tmp_path: Path) -> None:
    write_mindspore_job(
        tmp_path, dataset(), user_defined(seed=1), training(), evaluation({"accuracy": 0.5})
    )
    facts = facts_of(tmp_path)
    assert facts.train is not None
    assert facts.train.network == "LeNet5"
    assert facts.evaluation is not None
    assert facts.evaluation.metric == {"accuracy": 0.5}
    assert facts.dataset_graph == DATASET
    assert facts.user_defined == {"seed": 1}


def test_of_several_events_the_last_counts_and_user_defined_info_is_merged(tmp_path: Path) -> None:
    write_mindspore_job(
        tmp_path,
        training(epoch=1),
        user_defined(seed=1, team="vision"),
        training(epoch=2),
        user_defined(seed=2),
    )
    facts = facts_of(tmp_path)
    assert facts.train is not None
    assert facts.train.epoch == 2
    assert facts.user_defined == {"seed": 2, "team": "vision"}


def test_of_several_files_the_latest_by_name_counts_then_that_of_rank_0(tmp_path: Path) -> None:
    # A file's name has its start time; the order in the directory is irrelevant.
    write_mindspore_job(tmp_path, training(epoch=1), user_defined(a=1), start=START + 5)
    write_mindspore_job(tmp_path, training(epoch=2), user_defined(b=2), start=START + 50, rank=0)
    write_mindspore_job(tmp_path, training(epoch=3), evaluation({}), start=START + 50, rank=1)
    facts = facts_of(tmp_path)
    assert facts.train is not None
    assert facts.train.epoch == 2
    assert facts.evaluation is not None
    assert facts.user_defined == {"a": 1, "b": 2}


def test_user_defined_info_alone_is_lineage(tmp_path: Path) -> None:
    write_mindspore_job(tmp_path, user_defined(seed=1))
    assert facts_of(tmp_path) == LineageFacts(user_defined={"seed": 1})


def test_a_tensorboard_job_has_the_facts_of_hparams(tmp_path: Path) -> None:
    values = [experiment("accuracy"), session_start({"lr": 0.1}), session_end()]
    write_tensorboard_job(tmp_path, values, {"accuracy": 0.5})
    assert facts_of(tmp_path) == LineageFacts(
        hyper_parameters={"lr": 0.1},
        metric_tags=(MetricTag("accuracy"),),
        session_status="success",
        session_end=START + 9,
    )


def test_a_config_logged_as_a_json_text_has_hyperparameters(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_tensorboard_job(tmp_path / "a", [config_text({"lr": 5e-05, "optim": "adamw"})])
    write_tensorboard_job(tmp_path / "b", [config_text({"lr": 1}, tag="note")])
    # The last text counts, though it is no config.
    write_tensorboard_job(tmp_path / "c", [config_text({"lr": 1}), text("args/text_summary", "-")])
    monkeypatch.setattr(config_text_module, "MAX_FIELDS", 1)
    write_tensorboard_job(tmp_path / "d", [config_text({"lr": 1, "seed": 2})])
    store = loaded(tmp_path)
    found = [store.read_lineage(f"./{name}").facts.hyper_parameters for name in "bcd"]
    assert found == [{}, {}, {"lr": 1}]
    (finding,) = store.train_job("./d").problems
    assert (finding.kind, finding.lost_records) == (FindingKind.CUT_CONFIG, 0)
    assert finding.detail.startswith("1 field")
    monkeypatch.undo()
    facts = facts_of(tmp_path, "./a")
    assert facts.hyper_parameters == {"lr": 5e-05, "optim": "adamw"}


def test_visualdl_texts_may_be_configs_too(tmp_path: Path) -> None:
    texts = [visualdl_text("args", '{"lr": 0.5}'), visualdl_text("note", '{"seed": 1}')]
    write(tmp_path, "vdlrecords.1700000000.log", frames(texts, Framing.LENGTH_PREFIXED))
    assert facts_of(tmp_path).hyper_parameters == {"lr": 0.5}


def test_a_visualdl_job_has_its_logged_facts(tmp_path: Path) -> None:
    write_visualdl_job(tmp_path, {"lr": 0.1}, ["acc"], {"acc": 0.5})
    assert facts_of(tmp_path) == LineageFacts(
        hyper_parameters={"lr": 0.1}, metric_tags=(MetricTag("acc"),)
    )


def test_a_job_of_scalars_has_none(tmp_path: Path) -> None:
    write(tmp_path, "events.out.tfevents.1.host", tensorboard_log([(1, 0.5)]))
    assert facts_of(tmp_path) is NO_FACTS


def test_lineage_is_listed_for_all_jobs_in_the_order_of_the_jobs(tmp_path: Path) -> None:
    write_mindspore_job(tmp_path / "a", training())
    write(tmp_path / "b", "events.out.tfevents.1.host", tensorboard_log([(1, 0.5)]))
    store = loaded(tmp_path)
    listed = store.list_lineages()
    jobs = store.list_train_jobs()
    assert [
        (lineage.train_id, lineage.version, lineage.update_time, lineage.create_time)
        for lineage in listed
    ] == [(job.train_id, job.version, job.update_time, job.create_time) for job in jobs]
    assert list(listed) == [store.read_lineage(job.train_id) for job in jobs]


# ------------------------------------------------------------------------- growing, dropped


def test_only_appended_facts_are_read(tmp_path: Path) -> None:
    path = write_mindspore_job(tmp_path, dataset())
    store = LogStore(Config(tmp_path, inotify=False, reload_interval=0))
    store.start()
    try:
        store.refresh()
        before = store.read_lineage("./").facts
        with path.open("ab") as file:
            file.write(mindspore_lineage(training(epoch=7)))
        store.refresh()
        after = store.read_lineage("./").facts
    finally:
        store.close()
    assert before.train is None
    assert after.train is not None
    assert after.train.epoch == 7
    assert after.dataset_graph is before.dataset_graph


def test_a_file_that_is_replaced_leaves_nothing_behind(tmp_path: Path) -> None:
    path = write_mindspore_job(tmp_path, dataset(), training(), evaluation({"accuracy": 0.5}))
    store = LogStore(Config(tmp_path, inotify=False, reload_interval=0))
    store.start()
    try:
        store.refresh()
        path.write_bytes(mindspore_lineage(user_defined(seed=1)))
        store.refresh()
        facts = store.read_lineage("./").facts
    finally:
        store.close()
    assert facts == LineageFacts(user_defined={"seed": 1})


def test_facts_stay_when_columns_are_dropped(tmp_path: Path) -> None:
    values = [experiment("accuracy"), session_start({"lr": 0.1})]
    write_tensorboard_job(tmp_path, values, {"accuracy": 0.5})
    logged = loaded(tmp_path, max_memory=1)
    assert logged.train_job("./").cache_status == "NOT_IN_CACHE"
    assert logged.read_lineage("./").facts.hyper_parameters == {"lr": 0.1}


# ------------------------------------------------------------------------------------ damage


def raw_event(number: int, content: bytes) -> bytes:
    event = double_field(1, START) + delimited(number, content)
    return frames([event], Framing.TFRECORD)


def test_a_damaged_event_is_a_finding_and_the_others_count(tmp_path: Path) -> None:
    good = mindspore_lineage(training(epoch=5))
    bad = raw_event(9, b"\xff\xff") + raw_event(7, evaluation("{").SerializeToString())
    name = f"events.out.events.summary.{START}.0.host_lineage"
    write(tmp_path, name, good + bad + mindspore_lineage(user_defined(a=1)))
    logged = loaded(tmp_path)
    facts = logged.read_lineage("./").facts
    assert facts.train is not None
    assert (facts.train.epoch, facts.dataset_graph, facts.evaluation) == (5, None, None)
    assert facts.user_defined == {"a": 1}
    problems = logged.train_job("./").problems
    assert [(problem.kind, problem.path, problem.lost_records) for problem in problems] == [
        (FindingKind.BAD_VALUE, name, 1)
    ] * 2
    assert problems[0].offset == len(good)


def test_the_last_sound_event_of_a_kind_counts(tmp_path: Path) -> None:
    name = f"events.out.events.summary.{START}.0.host_lineage"
    write(tmp_path, name, mindspore_lineage(training(epoch=5)) + raw_event(6, b"\xff"))
    facts = facts_of(tmp_path)
    assert facts.train is not None
    assert facts.train.epoch == 5


@pytest.mark.parametrize("size", [0, 7, 20, 100, 130])
def test_a_file_cut_anywhere_loses_no_other_job(tmp_path: Path, size: int) -> None:
    whole = write_mindspore_job(tmp_path / "whole", training(), user_defined(a=1))
    name = f"events.out.events.summary.{START}.0.host_lineage"
    content = whole.read_bytes()
    assert size < len(content)
    write(tmp_path / "cut", name, content[:size])
    logged = loaded(tmp_path)
    assert logged.read_lineage("./whole").facts.user_defined == {"a": 1}
    assert logged.read_lineage("./cut").facts.user_defined == {}
    problems = logged.train_job("./cut").problems
    assert {problem.kind for problem in problems} <= {FindingKind.TRUNCATED, FindingKind.NOT_A_LOG}
    assert problems


def test_an_event_with_a_flipped_bit_is_skipped_and_reported(tmp_path: Path) -> None:
    path = write_mindspore_job(tmp_path, training(), user_defined(a=1))
    content = bytearray(path.read_bytes())
    content[40] ^= 1
    path.write_bytes(content)
    logged = loaded(tmp_path)
    assert logged.read_lineage("./").facts == LineageFacts(user_defined={"a": 1})
    assert [problem.kind for problem in logged.train_job("./").problems] == [
        FindingKind.BAD_PAYLOAD
    ]


@pytest.mark.parametrize(
    "metadata",
    [delimited(1, delimited(1, b"hparams") + delimited(2, b"\x1a\x05\xff")), b"\x0a\xff"],
)
def test_damaged_hparams_are_a_finding(tmp_path: Path, metadata: bytes) -> None:
    tag = delimited(1, b"_hparams_/session_start_info")
    write_tensorboard_job(tmp_path, [tag + delimited(9, metadata)], {"accuracy": 0.5})
    logged = loaded(tmp_path)
    assert logged.read_lineage("./").facts is NO_FACTS
    assert FindingKind.BAD_VALUE in [problem.kind for problem in logged.train_job("./").problems]
    assert logged.read_scalars("./", "accuracy").value.tolist() == [1.0, 0.5]


def test_an_oversized_event_is_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lineage_reader, "MAX_FACT_SIZE", 100)
    write_mindspore_job(tmp_path, training())
    logged = loaded(tmp_path)
    assert logged.read_lineage("./").facts is NO_FACTS
    assert [problem.kind for problem in logged.train_job("./").problems] == [FindingKind.BAD_VALUE]
