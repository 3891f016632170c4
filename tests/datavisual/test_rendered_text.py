from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual import rendered_text
from mindviz.datavisual.rendered_text import MAX_OUTPUT, RenderingBudget, render

PLAIN = "Shown as plain text"


def html_of(markdown: str) -> str:
    return render(markdown, RenderingBudget.of_answer().of_text())


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
def test_active_content_is_removed(hostile: str) -> None:
    html = html_of(hostile).lower()
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
def test_any_text_keeps_only_safe_tags(markdown: str) -> None:
    html = html_of(markdown)
    for forbidden in ("<script", "<img", 'javascript:"', "<i "):
        assert forbidden not in html


@pytest.mark.parametrize(
    "hostile",
    [
        "<div>" * 39_800,
        "<div>" * 1_001 + "</div>" * 1_001,
        "".join(f"<p><b title={i}>x</p>" for i in range(2_000)),
        "<p>" + "".join(f"<b title={i}>" for i in range(150)) + "<div>x</div>" * 2_000,
        "<div>" * 300 + "<table></div>" * 1_000,
        "*a " * 3_300 + "a* " * 3_300,
        "[a]: /" + "x" * 50_000 + "\n\n" + "[a]" * 3_000,
        "|".join("a" * 50) + "\n" + "|".join("-" * 50) + "\n" + "x\n" * 10_000,
        "- a\n" * 20_000,
        "[" * 50_000,
        "![" * 50_000,
        "> " * 50_000 + "[" * 20_000,
        "a" * 1_000_000,
    ],
    ids=lambda text: f"{text[:12]!r}...{text[-12:]!r} x {len(text)}",
)
def test_a_text_too_slow_to_render_is_shown_as_source(hostile: str) -> None:
    html = html_of(hostile)
    assert PLAIN in html
    assert html.endswith("</pre>")
    assert len(html) < 6 * len(hostile) + 200


@pytest.mark.parametrize(
    "harmless",
    [
        "<div>" * 100 + "x" + "</div>" * 100,
        "<table>" + "<tr><td>1</td><td>2</td></tr>" * 1_000 + "</table>",
        "|a|b|\n|-|-|\n" + "|1|2|\n" * 800,
        "Some *prose* with `code` and a [link](https://example.org).\n\n" * 500,
        "[a]: https://example.org\n\n" + "[a] " * 1_000,
        "> " * 19 + "deep",
    ],
    ids=lambda text: f"{text[:12]!r}...{text[-12:]!r} x {len(text)}",
)
def test_a_text_that_is_merely_long_is_rendered(harmless: str) -> None:
    assert PLAIN not in html_of(harmless)


def test_references_do_not_multiply_a_long_url() -> None:
    markdown = "[a]: /" + "x" * 90_000 + "\n\n" + "[a]" * 10
    assert len(html_of(markdown)) < MAX_OUTPUT + 100_000


def test_other_markup_is_shown_or_removed() -> None:
    assert html_of('a < b <i>c</i> <a href="x>y">') == (
        '<p>a &lt; b <i>c</i> &lt;a href="x&gt;y"&gt;</p>'
    )
    assert html_of("<!-- x --><!DOCTYPE html><b>y</b>") == "<b>y</b>"
    assert html_of("<!-- open <b>") == "&lt;!-- open <b></b>"
    many = "".join(f" a{i}" for i in range(11))
    assert html_of(f"<b{many}>x</b>").startswith("<p>&lt;b a0")


def test_a_very_long_text_is_shown_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rendered_text, "MAX_CHARACTERS", 5)
    assert html_of("<b>**&").endswith("<pre>&lt;b&gt;**&amp;</pre>")


@given(
    st.lists(
        st.sampled_from(
            [*"<>&|*_[]()`\n-# ", "<b>", "</b>", "<p>", "<table>", "<td>", "</table>", "<!--",
             "-->", "<svg>", "<script>", "</script>", "<a href=x>", "</a>", "[a]", "]: /x\n"]
        ),
        max_size=8,
    ),
    st.integers(1, 300),
)  # fmt: skip
def test_any_repetition_is_rendered_or_shown_as_it_is(unit: list[str], times: int) -> None:
    text = "".join(unit) * times
    assert len(html_of(text)) <= 60 * len(text) + 200
