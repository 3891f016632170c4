"""Checks the access token, in a header, cookie or link. See docs/security.md."""

from __future__ import annotations

from urllib.parse import urlencode

from flask import Flask, Response, request

from mindviz.access_token import AccessToken
from mindviz.backend.login_page import login_page
from mindviz.backend.webui import HASHED, INDEX, REST_API
from mindviz.config import Config
from mindviz.errors import TokenRequired

PARAMETER = "token"
"""Name of the token's argument in links, and of its field on the login page."""
_ICON = "favicon.svg"


def require_token(app: Flask, config: Config) -> None:
    """Require the config's token, if any, for all requests of the app."""
    if config.auth_token:
        app.before_request(_Gate(config).check)
        app.after_request(_name_scheme)


class _Gate:
    def __init__(self, config: Config) -> None:
        root = f"{config.url_path_prefix}/"
        self._token = AccessToken(config.auth_token)
        # Browsers send cookies to every port of a host, so servers need distinct names.
        self._cookie = f"mindviz-{config.port}"
        self._pages = {config.url_path_prefix, *(root + name for name in ("", INDEX, REST_API))}
        # Files that are also on PyPI. The last one redirects to a page.
        self._public = (f"{root}{HASHED}", f"{root}{_ICON}", f"{root}v1/mindviz/docs")

    def check(self) -> Response | None:
        if request.path in self._pages:
            return self._check_page()
        # Browsers send CORS preflight requests without credentials; responses contain no data.
        public = request.path.startswith(self._public) or request.method == "OPTIONS"
        if not (public or self._is_authorized()):
            raise TokenRequired(
                "This server requires a token: send `Authorization: Bearer TOKEN`, or log in on "
                "its page."
            )
        return None

    def _is_authorized(self) -> bool:
        return self._token.is_header(
            request.headers.get("Authorization", "")
        ) or self._token.is_cookie(request.cookies.get(self._cookie, ""))

    def _check_page(self) -> Response | None:
        given = (request.form if request.method == "POST" else request.args).get(PARAMETER)
        if given is not None and self._token.is_token(given.strip()):
            answer = _without_token()
            answer.set_cookie(
                self._cookie,
                self._token.cookie,
                httponly=True,
                secure=request.is_secure or request.headers.get("X-Forwarded-Proto") == "https",
                # Browsers do not send Strict cookies after a link from another site.
                samesite="Lax",
            )
            return answer
        if self._is_authorized():
            return None if given is None else _without_token()
        language = "zh" if (request.accept_languages.best or "").startswith("zh") else "en"
        return Response(
            login_page(language, is_wrong=given is not None),
            401,
            content_type="text/html; charset=utf-8",
        )


def _without_token() -> Response:
    """Redirect to the URL without the token, which keeps it out of history and bookmarks.

    The URL is relative, for proxies that add a prefix.
    """
    # Not `request.path`, which ends with a slash even if the URL of a mounted app does not.
    name = f"{request.script_root}{request.environ['PATH_INFO']}".rpartition("/")[2]
    rest = urlencode([pair for pair in request.args.items(multi=True) if pair[0] != PARAMETER])
    return Response(status=303, headers={"Location": f"./{name}" + (f"?{rest}" if rest else "")})


def _name_scheme(response: Response) -> Response:
    if response.status_code == 401:
        response.headers["WWW-Authenticate"] = 'Bearer realm="mindviz"'
    return response
