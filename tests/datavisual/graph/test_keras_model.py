"""Drafts of Keras models."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from mindviz.datavisual.graph.keras_model import keras_draft


def layer(name: str, inbound: object = None, **config: object) -> dict[str, Any]:
    found: dict[str, Any] = {"class_name": "Dense", "config": {"name": name, **config}}
    return found if inbound is None else found | {"name": name, "inbound_nodes": inbound}


def edges(model: dict[str, Any]) -> dict[str, list[str]]:
    return {key: list(leaf.inputs) for key, leaf in keras_draft(model).operators.items()}


def test_layers_of_a_sequential_model_follow_each_other() -> None:
    inner = {
        "class_name": "Sequential",
        "config": {"name": "in", "layers": [layer("b"), layer("c")]},
    }
    model = {"class_name": "Sequential", "config": {"layers": [layer("a"), inner, layer("d")]}}
    assert edges(model) == {"a": [], "in/b": ["a"], "in/c": ["in/b"], "d": ["in/c"]}


def test_a_functional_model_has_the_inputs_of_its_layers() -> None:
    inner = {
        "class_name": "Functional",
        "name": "in",
        "inbound_nodes": [[["a", 0, 0, {}]]],
        "config": {
            "layers": [layer("x", []), layer("y", [[["x", 0, 0, {}]]]), layer("z", [])],
            "input_layers": [["x", 0, 0]],
            "output_layers": [["y", 0, 0], ["z", 0, 0]],
        },
    }
    keras3 = [{"args": [{"config": {"keras_history": ["in", 0, 0]}}], "kwargs": {"dtype": None}}]
    merged = [[["a", 0, 0, {"other": ["d", 0, 0]}], ["gone", 0, 0]]]
    layers = [layer("a", []), inner, layer("d", keras3), layer("e", merged)]
    assert edges({"config": {"layers": layers}}) == {
        "a": [],
        "in/x": ["a"],
        "in/y": ["in/x"],
        "in/z": [],
        "d": ["in/y", "in/z"],
        "e": ["a", "d"],
    }


def test_a_layers_configuration_is_its_attributes() -> None:
    shaped = layer("a", batch_input_shape=[None, 3], dtype="float32", units=4, activation="relu")
    leaf = keras_draft({"config": {"layers": [shaped]}}).operators["a"]
    assert (leaf.type, leaf.shapes, leaf.data_type) == ("Dense", ((-1, 3),), "float32")
    assert dict(leaf.attributes()) == {
        "batch_input_shape": "[null,3]",
        "dtype": "float32",
        "units": "4",
        "activation": "relu",
    }


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["a", "b", "config"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["config", "layers", "name", "inbound_nodes", "input_layers"]), inner
        )
    ),
)


@given(model=st.dictionaries(st.sampled_from(["config", "layers", "name"]), json_values))
def test_any_json_is_a_model_which_may_be_empty(model: dict[str, Any]) -> None:
    for leaf in keras_draft(model).operators.values():
        assert leaf.name
        assert leaf.attributes() is not None


def test_repeated_ends_count_once_per_level() -> None:
    model = layer("x")
    for level in range(40):  # doubled on every level, these would be 2**40 ends
        name = f"m{level}"
        inner = model.get("name", "x")
        ends = [[inner, 0, 0], [inner, 0, 0]]
        config = {"name": name, "layers": [model], "input_layers": ends, "output_layers": ends}
        model = {"class_name": "Functional", "name": name, "config": config}
    after = layer("after", [[["m39", 0, 0, {}]]])
    found = edges({"config": {"layers": [model, after]}})
    assert len(found) == 2
    assert len(found["after"]) == 1
