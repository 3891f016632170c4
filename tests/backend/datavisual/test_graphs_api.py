"""Graphs over HTTP."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from flask.testing import FlaskClient

from mindviz.backend.datavisual import graphs_api
from mindviz.datavisual.series.time_series import LoggedGraph
from tests.mindspore_graphs import EXAMPLES, constant, graph, op, parameter, tensor_type
from tests.store_fake import FakeStore

JOB = {"train_id": "./job"}


@pytest.fixture(autouse=True)
def job(store: FakeStore) -> None:
    job = store.add("./job")
    content = graph(
        [
            op("1", "A", "net/s", "p", output=tensor_type((2, -1))),
            op("2", "B", "net", "1", "^k", output_index=1),
        ],
        [parameter("p")],
        [constant("k")],
    )
    job.add_values("graph", "b.pb", [0], [LoggedGraph("mindspore", content)])
    other = LoggedGraph("mindspore", EXAMPLES["optimized"]())
    job.add_values("graph", "ms_output_optimize.pb", [0], [other])
    job.add_values("graph", "damaged", [0], [other])
    job.damage("graph", "damaged", 0)
    store.add("./none")


def get(client: FlaskClient, url: str, **query: object) -> Any:
    """Of graph b.pb."""
    return get_json(client, url, JOB | {"tag": "b.pb"} | query)


def get_json(client: FlaskClient, url: str, query: Mapping[str, object]) -> Any:
    response = client.get(url, query_string=query)
    assert response.status_code == 200, response.json
    return response.json


def test_the_nodes_of_a_scope(client: FlaskClient, prefix: str) -> None:
    answer = get(client, f"{prefix}/datavisual/graphs/nodes", name="net")
    edge = {
        "shape": [[2, -1]],
        "edge_type": "data",
        "independent_layout": False,
        "data_type": "DT_TENSOR[DT_FLOAT32]",
    }
    control = {
        "shape": [[]],
        "edge_type": "control",
        "independent_layout": False,
        "data_type": "",
    }
    plain = {
        "attr": {},
        "output_i": 0,
        "proxy_input": {},
        "proxy_output": {},
        "independent_layout": False,
        "stack_info": [],
    }
    assert answer == {
        "nodes": [
            plain
            | {
                "name": "net/B-op2",
                "type": "B",
                "is_dynamic_shape_node": True,
                "input": {"net/s/A-op1": edge, "net/k": control},
                "output": {},
                "output_i": 1,
                "subnode_count": 0,
            },
            plain
            | {
                "name": "net/s",
                "type": "name_scope",
                "is_dynamic_shape_node": False,
                "input": {},
                "output": {"net/B-op2": edge},
                "subnode_count": 2,
            },
            plain
            | {
                "name": "net/k",
                "type": "Const",
                "is_dynamic_shape_node": False,
                "attr": {"k": "dtype: DT_INT64\nint_val: 7\n"},
                "input": {},
                "output": {"net/B-op2": control},
                "subnode_count": 0,
            },
        ]
    }
    assert [node["name"] for node in get(client, f"{prefix}/datavisual/graphs/nodes")["nodes"]] == [
        "net"
    ]


def test_the_first_graph_is_the_default(client: FlaskClient, prefix: str) -> None:
    answer = get_json(client, f"{prefix}/datavisual/graphs/nodes", JOB)
    assert [node["name"] for node in answer["nodes"]] == ["Default", "Gradients", "Abs"]
    answer = get_json(client, f"{prefix}/datavisual/graphs/nodes", JOB | {"mode": "optimize"})
    assert [node["name"] for node in answer["nodes"]] == ["Default", "Abs"]


def test_a_search_returns_a_tree(client: FlaskClient, prefix: str) -> None:
    url = f"{prefix}/datavisual/graphs/nodes/names"
    leaf = {"name": "net/s/A-op1", "type": "A", "is_dynamic_shape_node": True, "nodes": []}
    scope = {"name": "net/s", "type": "name_scope", "is_dynamic_shape_node": True, "nodes": [leaf]}
    top = {"name": "net", "type": "name_scope", "is_dynamic_shape_node": True, "nodes": [scope]}
    assert get(client, url, search="a-OP") == {"nodes": [top]}
    assert get(client, url, search="op", offset=1, limit=1)["nodes"][0]["nodes"][0]["nodes"] == []
    assert get(client, url) == get(client, url, search="") == {"nodes": []}
    for page in (2**63 - 1, 2**63 - 2, 10**12):
        assert get(client, url, search="op", offset=page) == {"nodes": []}


def test_a_search_in_a_graph_without_nodes_finds_nothing(
    client: FlaskClient, prefix: str, store: FakeStore
) -> None:
    empty = LoggedGraph("mindspore", graph([]))
    store.add("./empty").add_values("graph", "none.pb", [0], [empty])
    url = f"{prefix}/datavisual/graphs/nodes"
    query = {"train_id": "./empty", "tag": "none.pb", "search": "conv"}
    assert get_json(client, f"{url}/names", query) == {"nodes": []}
    del query["search"]
    answer = client.get(url, query_string=query).json or {}
    assert answer["error_code"] == "5054500C"


def test_the_layers_around_a_node(client: FlaskClient, prefix: str) -> None:
    answer = get(client, f"{prefix}/datavisual/graphs/single-node", name="net/s/A-op1")
    layers = []
    while answer:
        layers.append((answer["scope_name"], [node["name"] for node in answer["nodes"]]))
        answer = answer["children"]
    assert layers == [
        ("", ["net"]),
        ("net", ["net/B-op2", "net/s", "net/k"]),
        ("net/s", ["net/s/A-op1", "net/s/p"]),
    ]


def test_all_nodes_below_a_scope(client: FlaskClient, prefix: str) -> None:
    answer = get(client, f"{prefix}/datavisual/graphs/nodes/all", name="net")
    names = [node["name"] for node in answer["all_nodes_detail"]]
    assert names == ["net/B-op2", "net/s/A-op1", "net/s/p", "net/k"]


@pytest.mark.parametrize(
    ("route", "query", "code"),
    [
        ("nodes", {"train_id": ""}, "50540003"),
        ("nodes", {"train_id": "./x"}, "50545005"),
        ("nodes", {"train_id": "./none", "tag": None}, "5054500C"),
        ("nodes", {"tag": ""}, "5054500C"),
        ("nodes", {"tag": "nothing"}, "5054500C"),
        ("nodes", {"tag": "damaged"}, "50545015"),
        ("nodes", {"mode": "best"}, "50540002"),
        ("nodes", {"name": "nothing"}, "50545009"),
        ("nodes/all", {"name": "nothing"}, "50545009"),
        ("single-node", {}, "50540003"),
        ("single-node", {"name": "nothing"}, "50545009"),
        ("nodes/names", {"limit": "0"}, "50540002"),
        ("nodes/names", {"limit": "1001"}, "50540002"),
        ("nodes/names", {"limit": "x"}, "50540001"),
        ("nodes/names", {"offset": "-1"}, "50540002"),
    ],
)
def test_errors_have_the_contracts_codes(
    client: FlaskClient, prefix: str, route: str, query: dict[str, str | None], code: str
) -> None:
    asked = {k: v for k, v in {**JOB, "tag": "b.pb", **query}.items() if v is not None}
    response = client.get(f"{prefix}/datavisual/graphs/{route}", query_string=asked)
    assert response.status_code == 400
    assert response.json is not None
    assert response.json["error_code"] == code


def test_the_plain_form(client: FlaskClient) -> None:
    assert get(client, "/v1/mindviz/graphs/plain") == {
        "nodes": [
            {"name": "A-op1", "group": "net/s"},
            {"name": "B-op2", "group": "net"},
            {"name": "p", "group": "net/s"},
            {"name": "k", "group": "net"},
        ],
        "edges": [
            {"from": 0, "to": 1, "type": "data"},
            {"from": 2, "to": 0, "type": "data"},
            {"from": 3, "to": 1, "type": "normal"},
        ],
    }


def test_a_scope_as_the_page_requests_it(client: FlaskClient, prefix: str) -> None:
    answer = get(client, "/v1/mindviz/graphs/scope", name="net", find="net/s/A-op1")
    same = get(client, f"{prefix}/datavisual/graphs/nodes", name="net")
    assert sorted(answer.pop("nodes"), key=lambda node: str(node["name"])) == sorted(
        same["nodes"], key=lambda node: str(node["name"])
    )
    assert answer == {"name": "net", "total": 3, "stacks": [], "places": {}, "structures": {}}


def test_a_large_scope_consists_of_stacks(client: FlaskClient, store: FakeStore) -> None:
    ops = [op(str(i), f"T{i}", "net", *([str(i - 1)] if i else [])) for i in range(300)]
    ops += [op("x", "X", "other", "299"), op("y", "Y", "net", "x")]
    large = [LoggedGraph("mindspore", graph(ops))]
    store.add("./large").add_values("graph", "b.pb", [0], large)
    job = {"train_id": "./large", "tag": "b.pb"}
    url = "/v1/mindviz/graphs/scope"
    answer = get_json(client, url, job | {"name": "net"})
    assert answer["nodes"] == []
    assert [(one["first"], one["last"]) for one in answer["stacks"]][:2] == [(1, 50), (51, 100)]
    chained = next(one for one in answer["stacks"] if one["source"])
    assert chained["source"][0][1] == "data"
    [entered] = [one["input"] for one in answer["stacks"] if one["input"]]
    assert entered == {"other/X-opx": {"edge_type": "data"}}
    first = get_json(
        client, url, job | {"name": "net", "first": 1, "last": 50, "find": "net/T299-op299"}
    )
    assert first["places"]["net/T299-op299"] > 50
    assert len(first["nodes"]) == 50
    assert first["stacks"] == []
    beyond = get_json(client, url, job | {"name": "net", "first": 5000})
    assert (beyond["nodes"], beyond["stacks"]) == ([], [])


def test_costs_of_nodes(client: FlaskClient) -> None:
    columns = ("devices", "name", "device", "micros", "places")
    none: dict[str, list[object]] = {name: [] for name in columns}
    assert get(client, "/v1/mindviz/graphs/costs") == none


def test_tags_are_listed_with_their_kinds(client: FlaskClient) -> None:
    answer = get_json(client, "/v1/mindviz/graphs/tags", JOB)
    assert answer["train_id"] == "./job"
    kinds = {one["tag"]: one["kind"] for one in answer["tags"]}
    assert kinds["b.pb"] == "run"
    assert kinds["b.pb (optimized)"] == "optimized"


def test_missing_objects_are_404_on_own_routes(client: FlaskClient) -> None:
    for route, query in (
        ("tags", {"train_id": "./x"}),
        ("plain", JOB | {"tag": "x"}),
        ("scope", JOB | {"tag": "b.pb", "name": "nowhere"}),
        ("scope", JOB | {"tag": "b.pb", "find": "nowhere"}),
        ("costs", {"train_id": "./x"}),
    ):
        response = client.get(f"/v1/mindviz/graphs/{route}", query_string=query)
        assert response.status_code == 404


def test_graphs_and_their_optimized_views_are_tags_of_the_job(
    client: FlaskClient, prefix: str
) -> None:
    plugins = get_json(client, f"{prefix}/datavisual/plugins", JOB)["plugins"]
    assert plugins["graph"] == ["ms_output_optimize.pb", "b.pb", "damaged"]
    optimized = [f"{tag} (optimized)" for tag in plugins["graph"]]
    assert plugins["optimized_graph"] == optimized
    query = JOB | {"plugin_name": "optimized_graph"}
    answer = get_json(client, f"{prefix}/datavisual/single-job", query)
    assert answer["train_jobs"][0]["tags"] == optimized


def test_nodes_with_too_large_edges_are_rejected(
    client: FlaskClient, prefix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(graphs_api, "MAX_NODES_BYTES", 100)
    query = JOB | {"tag": "b.pb", "name": "net"}
    response = client.get(f"{prefix}/datavisual/graphs/nodes", query_string=query)
    assert response.status_code == 400
    assert response.get_json()["error_code"] == "50545013"


def test_a_summary_tells_whether_the_optimized_view_differs(
    client: FlaskClient, store: FakeStore
) -> None:
    job = store.add("./same")
    flow = graph([op("1", "A", "net"), op("2", "B", "net", "1")])
    job.add_values("graph", "same", [0], [LoggedGraph("mindspore", flow)])
    job.add_values("graph", "empty", [0], [LoggedGraph("mindspore", graph([]))])
    summaries = {
        tag: get_json(client, "/v1/mindviz/graphs/summary", {"train_id": train_id, "tag": tag})
        for train_id, tag in (
            ("./job", "ms_output_optimize.pb"),
            ("./same", "same"),
            ("./same", "empty"),
        )
    }
    assert summaries["ms_output_optimize.pb"]["optimizable"]
    assert summaries["same"] == {"nodes": 3, "optimizable": False}
    assert summaries["empty"] == {"nodes": 0, "optimizable": False}


def test_scopes_of_one_structure_have_its_number(client: FlaskClient, store: FakeStore) -> None:
    blocks = [op(f"{i}", "A", f"net/block{i}") for i in range(3)]
    flow = graph([*blocks, op("9", "B", "net/head", "0", "1", "2")])
    store.add("./deep").add_values("graph", "g", [0], [LoggedGraph("mindspore", flow)])
    query = {"train_id": "./deep", "tag": "g", "name": "net"}
    answer = get_json(client, "/v1/mindviz/graphs/scope", query)
    assert answer["structures"] == {"net/block0": 0, "net/block1": 0, "net/block2": 0}
