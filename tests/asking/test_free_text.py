from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.asking.free_text import FreeText, named_tag, similar_name

RUNS = {name: f"./{name}" for name in ("a", "3", "9000", "best", "my run", "my run 2", "x/lr_0.1")}


@pytest.mark.parametrize(
    ("text", "runs", "left"),
    [
        ("loss of a", ["a"], "loss of"),
        ("is it a good run", [], "is it a good run"),
        ("a vs best", ["a"], "vs best"),
        ("between best and 3", ["best", "3"], "between and"),
        ("the best run", [], "the best run"),
        ("run 3 at step 9000", ["3"], "run at step 9000"),
        ("with 3 layers", [], "with 3 layers"),
        ("my run 2 and MY RUN", ["my run 2", "my run"], "and"),
        ("what about ./x/lr_0.1?", ["x/lr_0.1"], "what about"),
        ("x/lr_0.1/another_folder", [], "x/lr_0.1/another_folder"),
        ("x/lr_0.2", ["x/lr_0.1"], ""),
    ],
)
def test_runs_are_taken_from_the_text(text: str, runs: list[str], left: str) -> None:
    words = FreeText(text.split())
    assert words.take_runs(RUNS, {"lr"}) == [f"./{name}" for name in runs]
    assert " ".join(words.words) == left


def test_a_run_is_found_by_its_number() -> None:
    runs = {"seed_12": "./seed_12", "seed_02": "./seed_02"}
    assert FreeText(["why", "is", "run", "2", "bad"]).take_runs(runs, ()) == ["./seed_02"]


@pytest.mark.parametrize(
    ("text", "step"),
    [("at step 1,000", 1_000), ("step 9_000, please", 9_000), ("lr_0.1 of 0.5", None), ("5.", 5)],
)
def test_steps(text: str, step: int | None) -> None:
    assert FreeText(text.split()).step == step


@pytest.mark.parametrize(
    ("text", "validation", "tag"),
    [
        ("the loss", False, "train/loss"),
        ("the loss", True, "val/loss"),
        ("validation loss", False, "val/loss"),
        ("val/top1", False, "val/top1"),
        ("accuracy", False, "val/top1"),
        ("gradient norm", False, "grad_norm"),
        ("grad_nrm", False, "grad_norm"),
        ("the training", False, None),
        ("anything", True, None),
    ],
)
def test_tags_are_named_by_their_parts(text: str, validation: bool, tag: str | None) -> None:
    tags = {"train/loss": 2, "val/loss": 2, "val/top1": 2, "grad_norm": 1}
    assert named_tag(FreeText(text.split()), tags, validation=validation) == tag


def test_similar_names() -> None:
    assert similar_name("spikd", ["lenet", "runs/spiked"]) == "runs/spiked"
    assert similar_name("unlike", ["lenet", "runs/spiked"]) is None


@given(st.text(), st.lists(st.text()))
def test_any_text_and_names(text: str, names: list[str]) -> None:
    words = FreeText([text])
    runs = {name: f"./{name}" for name in names if name}
    assert set(words.take_runs(runs, ())) <= {*runs.values()}
