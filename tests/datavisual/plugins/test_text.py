from __future__ import annotations

import numpy as np
import pytest

from mindviz.datavisual.analysis.series_parity import EXACT
from mindviz.datavisual.plugins import text
from mindviz.datavisual.plugins.text import PLUGIN, parity, rendered, view
from mindviz.datavisual.series import series_view
from mindviz.datavisual.series.time_series import Tensor
from mindviz.errors import AnswerTooLarge
from tests.store_fake import FakeStore

values = PLUGIN.values[""]


def strings(*texts: bytes, shape: tuple[int, ...] = ()) -> Tensor:
    array = np.empty(len(texts), object)
    array[:] = texts
    return Tensor(array.reshape(shape), "DT_STRING")


def experiment_of(*tensors: Tensor) -> FakeStore:
    store = FakeStore()
    store.add("./a").add_values("text", "t", range(len(tensors)), tensors)
    return store


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
    store = experiment_of(strings(b"x"), strings(b"y", shape=(1,)), strings(b"a", b"b", shape=(2,)))
    seen = values(store, "./a", "t").whole()
    assert seen.columns["data"] == ["x", "y", ["a", "b"]]
    assert seen.columns["size"] == [None, None, [2]]


def test_markdown_has_tables_code_and_links() -> None:
    html = rendered([], ["| a | b |\n|---|---|\n| 1 | 2 |\n\n`code`\n\n[x](https://example.org)"])
    assert "<td>1</td>" in html
    assert "<code>code</code>" in html
    assert 'href="https://example.org"' in html
    assert 'rel="noopener noreferrer"' in html


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


def test_a_string_with_a_false_shape_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(series_view, "MAX_ELEMENTS", 1000)
    many = np.broadcast_to(np.array(b"x", object), (10**9,))
    with pytest.raises(AnswerTooLarge):
        view(experiment_of(Tensor(many, "DT_STRING")), "./a", "t").whole()


def test_other_values_than_text_are_damaged() -> None:
    seen = view(experiment_of(Tensor(np.zeros(2), "DT_FLOAT64")), "./a", "t").whole()
    assert (seen.columns["html"], list(seen.problems)) == ([None], [0])


def test_the_cells_of_a_table_share_the_limit_of_a_text() -> None:
    cell = "*a* " * 1_000
    html = rendered([20], [cell] * 20)
    assert html.count("<em>") == 5_000
    assert html.count("Shown as plain text") == 15


def test_the_steps_of_an_answer_share_its_limit() -> None:
    texts = [strings(b"*a* " * 4_000)] * 20
    seen = view(experiment_of(*texts), "./a", "t").whole()
    plain = ["Shown as plain text" in str(html) for html in seen.columns["html"]]
    assert plain == [False] * 12 + [True] * 8


def test_parity_compares_strings_whatever_their_shape() -> None:
    one = strings(b"same", b"a", shape=(2,))
    assert not parity(one, strings(b"same", b"a", shape=(2, 1)), EXACT).different
    found = parity(one, strings(b"same", b"b", shape=(2,)), EXACT)
    assert (found.index, found.a, found.b) == ((1,), "a", "b")
