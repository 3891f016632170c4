"""Access: all routes of a server with a token, requested with and without it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urljoin

import pytest
from flask import Flask
from flask.testing import FlaskClient

from mindviz.access_token import AccessToken
from mindviz.backend.app import ExperimentApps, create_app
from mindviz.config import Config, ExperimentSource
from mindviz.datavisual.experiments import Experiments, ServedExperiment
from tests.store_fake import FakeStore
from tests.written_logs import loaded

TOKEN = "0123456789abcdef~+/="
BEARER = {"Authorization": f"Bearer {TOKEN}"}
COOKIE = "mindviz-8080"
STATUS = "/v1/mindviz/status"
PREFIX = "/lab"


@pytest.fixture(params=["", PREFIX])
def config(request: pytest.FixtureRequest, tmp_path: Path) -> Config:
    return Config(
        Path("/data"), workspace=tmp_path, auth_token=TOKEN, url_path_prefix=request.param
    )


@pytest.fixture
def locked(config: Config, store: FakeStore) -> Flask:
    return create_app(config, store)


@pytest.fixture
def visitor(locked: Flask) -> FlaskClient:
    return locked.test_client()


@pytest.fixture
def root(config: Config) -> str:
    return config.url_path_prefix


def cookie_of(client: FlaskClient) -> str | None:
    cookie = client.get_cookie(COOKIE)
    return cookie.value if cookie else None


def addresses(app: Flask) -> Iterator[tuple[str, str]]:
    """All routes, with placeholders in their paths."""
    for rule in app.url_map.iter_rules():
        path = rule.rule
        for argument in rule.arguments:
            for kind in ("", "path:", "plugin_name:"):
                path = path.replace(f"<{kind}{argument}>", "x")
        for method in rule.methods or ():
            yield method, path


def test_no_route_answers_without_the_token(locked: Flask, visitor: FlaskClient, root: str) -> None:
    public = {f"{root}/assets/x", f"{root}/v1/mindviz/docs"}
    asked = [one for one in addresses(locked) if one[0] != "OPTIONS" and one[1] not in public]
    assert len(asked) > 50
    for method, path in asked:
        answer = visitor.open(path, method=method)
        assert answer.status_code == 401, (method, path)
        assert answer.headers["WWW-Authenticate"].startswith("Bearer")
        assert cookie_of(visitor) is None


def test_unknown_paths_require_the_token_too(visitor: FlaskClient, root: str) -> None:
    for path in ("/nothing", "/v1/mindviz/nothing", "/assets", "/assetsx", "/favicon.svg/x"):
        assert visitor.get(f"{root}{path}").status_code in {401, 404}
    assert visitor.get(f"{root}/../data").status_code in {401, 404}
    assert visitor.get(f"{root}/nothing").get_json()["error_code"] == "50540008"


@pytest.mark.parametrize(
    "header",
    [
        "",
        TOKEN,
        "Bearer",
        "Bearer ",
        f"Bearer {TOKEN}x",
        f"Bearer {TOKEN[:-1]}",
        f"Bearer {TOKEN.upper()}",
        f"Basic {TOKEN}",
        f"Bearer {AccessToken(TOKEN).cookie}",
        "Bearer \xff",
    ],
)
def test_other_headers_are_rejected(visitor: FlaskClient, root: str, header: str) -> None:
    assert visitor.get(f"{root}{STATUS}", headers={"Authorization": header}).status_code == 401


def test_the_header_grants_access(visitor: FlaskClient, root: str) -> None:
    assert visitor.get(f"{root}{STATUS}", headers=BEARER).status_code == 200
    assert visitor.get(f"{root}/v1/mindinsight/ui-config", headers=BEARER).status_code == 200
    asked = visitor.post(f"{root}/v1/mindviz/lineagemgr/lineages", json={}, headers=BEARER)
    assert asked.status_code == 200
    assert visitor.get(f"{root}{STATUS}").status_code == 401


def test_the_link_sets_the_cookie_and_redirects_to_the_url_without_the_token(
    visitor: FlaskClient, root: str
) -> None:
    answer = visitor.get(f"{root}/?token={TOKEN.replace('+', '%2B')}&x=1")
    assert (answer.status_code, answer.headers["Location"]) == (303, "./?x=1")
    cookie = answer.headers["Set-Cookie"]
    assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= set(cookie.split("; "))
    assert "Secure" not in cookie
    assert TOKEN not in cookie
    assert answer.headers["Cache-Control"] == "no-store"
    assert visitor.get(f"{root}/").status_code == 200
    assert visitor.get(f"{root}{STATUS}").status_code == 200
    old = visitor.get(f"{root}/?token=old")  # a bookmark with an old token
    assert (old.status_code, old.headers["Location"]) == (303, "./")


@pytest.mark.parametrize("header", [{}, {"X-Forwarded-Proto": "https"}])
def test_over_tls_the_cookie_is_secure(
    visitor: FlaskClient, root: str, header: dict[str, str]
) -> None:
    scheme = "http" if header else "https"
    query = {"token": TOKEN}
    answer = visitor.get(
        f"{root}/", query_string=query, base_url=f"{scheme}://localhost", headers=header
    )
    assert "Secure" in answer.headers["Set-Cookie"]


def test_the_form_logs_in_at_the_current_url(visitor: FlaskClient, root: str) -> None:
    wrong = visitor.post(f"{root}/", data={"token": "no"})
    assert (wrong.status_code, "Wrong token" in wrong.text) == (401, True)
    assert cookie_of(visitor) is None
    right = visitor.post(f"{root}/rest-api.html", data={"token": f" {TOKEN}\n"})
    assert (right.status_code, right.headers["Location"]) == (303, "./rest-api.html")
    assert visitor.get(f"{root}{STATUS}").status_code == 200


def test_the_url_of_the_rest_page_shows_the_login_page(visitor: FlaskClient, root: str) -> None:
    leading = visitor.get(f"{root}/v1/mindviz/docs")
    assert leading.status_code == 302
    answer = visitor.get(urljoin(f"{root}/v1/mindviz/docs", leading.headers["Location"]))
    assert (answer.status_code, answer.content_type) == (401, "text/html; charset=utf-8")


def test_the_login_page_is_in_the_browsers_language(visitor: FlaskClient, root: str) -> None:
    for wanted, language in (("zh-CN,zh;q=0.9", "zh"), ("de", "en"), ("en-GB,zh;q=0.1", "en")):
        answer = visitor.get(f"{root}/", headers={"Accept-Language": wanted})
        assert f'lang="{language}"' in answer.text
        assert answer.content_type == "text/html; charset=utf-8"
        assert "/data" not in answer.text


def test_a_token_in_an_api_url_grants_no_access(visitor: FlaskClient, root: str) -> None:
    assert visitor.get(f"{root}{STATUS}", query_string={"token": TOKEN}).status_code == 401


def test_a_cookie_of_another_server_on_this_host_grants_no_access(
    visitor: FlaskClient, root: str
) -> None:
    visitor.set_cookie("mindviz-8081", AccessToken(TOKEN).cookie)
    visitor.set_cookie(COOKIE, TOKEN)
    assert visitor.get(f"{root}{STATUS}").status_code == 401


def test_pages_of_allowed_origins_send_the_header(
    store: FakeStore,
) -> None:
    config = Config(Path("/data"), auth_token=TOKEN, cors_origins=("https://lab.example",))
    client = create_app(config, store).test_client()
    origin = {"Origin": "https://lab.example"}
    question = origin | {
        "Access-Control-Request-Method": "GET",
        "Access-Control-Request-Headers": "authorization",
    }
    preflight = client.options(STATUS, headers=question)
    assert preflight.status_code == 200
    assert preflight.headers["Access-Control-Allow-Headers"] == "authorization"
    refused = client.get(STATUS, headers=origin)
    assert refused.status_code == 401
    assert refused.headers["Access-Control-Allow-Origin"] == "https://lab.example"
    assert client.get(STATUS, headers=origin | BEARER).status_code == 200


def test_all_experiments_share_one_login(tmp_path: Path) -> None:
    sources = []
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        sources.append(ExperimentSource(name, tmp_path / name))
    config = Config(
        tmp_path / "a",
        workspace=tmp_path / "workspace",
        auth_token=TOKEN,
        url_path_prefix=PREFIX,
        experiments=tuple(sources),
    )
    served = []
    for source in sources:
        store = loaded(tmp_path / source.experiment_id)
        served.append(ServedExperiment(source.experiment_id, store))
    app = Flask("outer", static_folder=None)
    app.wsgi_app = ExperimentApps(config, Experiments(served))  # type: ignore[method-assign]
    client = app.test_client()
    places = [PREFIX, f"{PREFIX}/experiment/a", f"{PREFIX}/experiment/b"]
    for place in places:
        assert client.get(f"{place}{STATUS}").status_code == 401
        assert "Log in" in client.get(f"{place}/").text
    link = client.get(f"{PREFIX}/experiment/b", query_string={"token": TOKEN})
    assert (link.status_code, link.headers["Location"]) == (303, "./b")
    for place in places:
        assert client.get(f"{place}{STATUS}").status_code == 200


def test_without_a_token_access_is_open(client: FlaskClient) -> None:
    assert client.get(STATUS).status_code == 200
    assert client.get("/").status_code == 200
