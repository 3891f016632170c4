"""The login page: a form for the token, without data, scripts or other files."""

from __future__ import annotations

from string import Template

_TEXTS = {
    "en": {
        "title": "Log in to mindviz",
        "label": "Token",
        "button": "Log in",
        "wrong": "Wrong token.",
        "where": "The link printed by <code>mindviz start</code> contains it after "
        "<code>?token=</code>, or it is in the server's <code>MINDVIZ_AUTH_TOKEN</code>. Ask the "
        "person who started it.",
    },
    "zh": {
        "title": "登录 mindviz",
        "label": "令牌",
        "button": "登录",
        "wrong": "令牌错误。",
        "where": "令牌在 <code>mindviz start</code> 输出的链接中、<code>?token=</code> 之后，"  # noqa: RUF001 - Chinese
        "或服务器的 <code>MINDVIZ_AUTH_TOKEN</code> 中。请询问启动它的人。",
    },
}

# Without an action, the form posts to the current URL with its fragment, so a link to a chart works
# after the login.
_PAGE = Template("""<!doctype html>
<html lang="$language">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>$title</title>
<link rel="icon" href="data:,">
<style>
  :root { color-scheme: light dark; --page: #f7f7f8; --panel: #fff; --line: #e3e4e8;
          --field-line: #8b909c; --ink: #1c1e24; --dim: #626773; --accent: #3454d1;
          --on-accent: #fff; --bad: #c22f2f }
  @media (prefers-color-scheme: dark) {
    :root { --page: #121317; --panel: #1a1c22; --line: #2b2e37; --field-line: #6a6f7c;
            --ink: #e8e9ed; --dim: #9ba1ad; --accent: #8aa2ff; --on-accent: #121317;
            --bad: #ff7d73 } }
  * { box-sizing: border-box }
  body { margin: 0; min-height: 100vh; display: grid; place-content: center; padding: 16px;
         grid-template-columns: minmax(0, 360px); background: var(--page); color: var(--ink);
         font: 14px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans',
               'Noto Sans SC', sans-serif }
  form { padding: 24px; border: 1px solid var(--line); border-radius: 10px;
         background: var(--panel) }
  h1 { margin: 0 0 16px; font-size: 18px; line-height: 1.3 }
  label { display: block; margin-bottom: 4px; color: var(--dim) }
  input, button { width: 100%; padding: 8px 10px; border-radius: 6px; font: inherit }
  input { border: 1px solid var(--field-line); background: var(--page); color: inherit }
  button { margin-top: 12px; border: 0; background: var(--accent); color: var(--on-accent);
           font-weight: 600; cursor: pointer }
  :focus-visible { outline: 2px solid var(--accent); outline-offset: 1px }
  .wrong { margin: 6px 0 0; color: var(--bad) }
  .where { margin: 16px 0 0; color: var(--dim); font-size: 12px; overflow-wrap: anywhere }
</style>
<main>
  <form method="post">
    <h1>$title</h1>
    <input name="username" autocomplete="username" value="mindviz" hidden>
    <label for="token">$label</label>
    <input id="token" name="token" type="password" autocomplete="current-password" required
           autofocus spellcheck="false"$described>
    $problem<button type="submit">$button</button>
    <p class="where" id="where">$where</p>
  </form>
</main>
</html>
""")


def login_page(language: str, *, is_wrong: bool) -> str:
    """The page in this language, `en` or `zh`; `is_wrong` reports a wrong token."""
    texts = _TEXTS[language]
    return _PAGE.substitute(
        texts,
        language=language,
        described=' aria-invalid="true" aria-describedby="wrong"' if is_wrong else "",
        problem=f'<p class="wrong" id="wrong" role="alert">{texts["wrong"]}</p>\n    '
        if is_wrong
        else "",
    )
