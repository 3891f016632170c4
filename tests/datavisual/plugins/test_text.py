from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual import series_view
from mindviz.datavisual.data_transform.time_series import Tensor
from mindviz.datavisual.plugins import text
from mindviz.datavisual.plugins.text import rendered, values, view
from mindviz.errors import AnswerTooLarge
from tests.experiment_fake import FakeExperiment


def strings(*texts: bytes, shape: tuple[int, ...] = ()) -> Tensor:
    array = np.empty(len(texts), object)
    array[:] = texts
    return Tensor(array.reshape(shape), "DT_STRING")


def experiment_of(*tensors: Tensor) -> FakeExperiment:
    experiment = FakeExperiment()
    experiment.add("./a").add_values("text", "t", range(len(tensors)), tensors)
    return experiment


def test_the_view_has_every_string_and_html_of_all() -> None:
    table = strings(b"a", b"*b*", b"c", b"\xff", shape=(2, 2))
    seen = view(experiment_of(strings(b"some **text**"), table), "./a", "t").whole()
    assert seen.columns["text"] == [["some **text**"], ["a", "*b*", "c", "\ufffd"]]
    assert seen.columns["dims"] == [[], [2, 2]]
    first, second = seen.columns["html"]
    assert first == "<p>some <strong>text</strong></p>"
    assert str(second).count("<tr>") == 2
    assert str(second).count("<td>") == 4
    assert "<em>b</em>" in str(second)


def test_values_are_the_string_or_all_strings() -> None:
    experiment = experiment_of(
        strings(b"x"), strings(b"y", shape=(1,)), strings(b"a", b"b", shape=(2,))
    )
    seen = values(experiment, "./a", "t").whole()
    assert seen.columns["data"] == ["x", "y", ["a", "b"]]
    assert seen.columns["size"] == [None, None, [2]]


def test_markdown_has_tables_code_and_links() -> None:
    html = rendered([], ["| a | b |\n|---|---|\n| 1 | 2 |\n\n`code`\n\n[x](https://example.org)"])
    assert "<td>1</td>" in html
    assert "<code>code</code>" in html
    assert 'href="https://example.org"' in html
    assert 'rel="noopener noreferrer"' in html


@pytest.mark.parametrize(
    "hostile",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "![x](https://example.org/pixel.png)",
        "[x](javascript:alert(1))",
        '<a href="javascript:alert(1)">x</a>',
        '<a href="data:text/html,x">x</a>',
        '<p onclick="alert(1)" style="position:fixed">x</p>',
        "<iframe src=https://example.org></iframe>",
        "<form action=https://example.org><input></form>",
        "<svg><script>alert(1)</script></svg>",
        "<style>body{display:none}</style>",
        '<base href="https://example.org">',
        "<td><script>",
        "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
    ],
)
def test_nothing_that_acts_is_left(hostile: str) -> None:
    html = rendered([], [hostile]).lower()
    for word in (
        "<script",
        "<img",
        "<iframe",
        "<form",
        "<input",
        "<svg",
        "<style",
        "<base",
        "<math",
    ):
        assert word not in html
    for word in ('href="javascript', 'href="data', " onclick=", " onerror=", " style="):
        assert word not in html


@given(st.text(alphabet="<>&\"'/=abimgscript:x[]()!`*|\n -", max_size=60))
def test_whatever_the_text_no_tag_but_the_harmless_ones_is_left(markdown: str) -> None:
    html = rendered([], [markdown])
    for forbidden in ("<script", "<img", 'javascript:"', "<i "):
        assert forbidden not in html


def test_a_very_long_text_is_shown_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "MAX_RENDERED", 5)
    assert rendered([], ["<b>**&"]) == "<pre>&lt;b&gt;**&amp;</pre>"


def test_of_a_large_table_the_beginning_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text, "MAX_CELLS", 4)
    html = rendered([3, 2], ["x"] * 6)
    assert html.count("<tr>") == 2
    assert "2 more" in html


def test_of_a_higher_rank_the_first_table_is_shown() -> None:
    html = rendered([2, 1, 2], ["a", "b", "c", "d"])
    assert "b" in html
    assert html.count("<td>") == 2
    assert rendered([0], []) == "<table><tbody></tbody></table>"


def test_one_string_that_claims_to_be_many_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(series_view, "MAX_ELEMENTS", 1000)
    many = np.broadcast_to(np.array(b"x", object), (10**9,))
    with pytest.raises(AnswerTooLarge):
        view(experiment_of(Tensor(many, "DT_STRING")), "./a", "t").whole()


def test_what_is_no_text_is_damaged() -> None:
    seen = view(experiment_of(Tensor(np.zeros(2), "DT_FLOAT64")), "./a", "t").whole()
    assert (seen.columns["html"], list(seen.problems)) == ([None], [0])
