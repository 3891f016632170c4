from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.asking.page_link import (
    comparison_link,
    exact_pattern,
    exact_tag,
    health_link,
    linked_question,
    run_link,
    runs_link,
    series_link,
    sweep_link,
)
from mindviz.asking.question import Question

NEWEST = ["./new", "./old"]
LINKS = {
    "#/health?run=./a": Question("health", ("./a",)),
    runs_link(): Question("list"),
    runs_link(sort="-train/loss"): Question("list", sort="-train/loss"),
    runs_link(filter="lr < 0.1"): Question("find", filter="lr < 0.1"),
    run_link("./a b"): Question("run", ("./a b",)),
    series_link("./a~b", "f(x)"): Question("series", ("./a~b",), "f(x)"),
    series_link("./a", "loss", 90, (80, 100)): Question("around", ("./a",), "loss", 90),
    comparison_link(["./a", "./"]): Question("compare", ("./a", "./")),
    comparison_link(["./a", "./*"], "parameters"): Question("config", ("./a", "./*")),
    sweep_link(): Question("config"),
    health_link(): Question("health"),
    health_link("./a"): Question("health", ("./a",)),
}


@pytest.mark.parametrize("link", LINKS)
def test_links_of_answers_are_their_questions(link: str) -> None:
    assert linked_question(link, NEWEST) == LINKS[link]
    assert linked_question(f"http://127.0.0.1:8080/lab/?token=x{link}", NEWEST) == LINKS[link]


@pytest.mark.parametrize(
    ("link", "question"),
    [
        ("http://127.0.0.1:8080/", Question("list")),
        ("#/scalar", Question("compare", ("./new", "./old"))),
        ("#/scalar?tags=loss", Question("compare", ("./new", "./old"), "loss")),
        ("#/scalar?runs=a", Question("run", ("./a",))),
        ("#/scalar?runs=*&filter=lenet", Question("find", filter="lenet")),
        ("#/scalar?runs=*&filter=lr+%3C+1%2B1", Question("find", filter="lr < 1+1")),
        ("#/runs?order=-created", Question("list")),
        ("#/compare?runs=a~b&view=parameters", Question("config", ("./a", "./b"))),
        ("#/health?of=selected&runs=a~b", Question("health")),
        ("#/image?runs=%252Ax", Question("run", ("./*x",))),
        ("#/scalar?runs=", Question("list")),
        ("#/scalar?runs=a&show=b", Question("compare", ("./b", "./a"))),
        ("#/scalar?runs=a&show=a&hide=a", Question("run", ("./a",))),
    ],
)
def test_links_of_the_page_are_questions(link: str, question: Question) -> None:
    assert linked_question(link, NEWEST) == question


@given(st.text(min_size=1))
def test_the_pattern_of_a_tag_is_exact(tag: str) -> None:
    assert exact_tag(exact_pattern(tag)) == tag


@pytest.mark.parametrize("pattern", ["loss", "^(a|b)$", "^a.*$", "^a\\d$"])
def test_other_patterns_are_no_tag(pattern: str) -> None:
    assert exact_tag(pattern) is None


@given(
    st.lists(
        st.text(min_size=1).filter(lambda text: "/" not in text[:1]),
        min_size=2,
        max_size=4,
        unique=True,
    )
)
def test_any_runs_survive_a_link(names: list[str]) -> None:
    ids = [f"./{name}" for name in names if name.isprintable()]
    if len(ids) > 1:
        assert linked_question(comparison_link(ids), []).runs == tuple(ids)
