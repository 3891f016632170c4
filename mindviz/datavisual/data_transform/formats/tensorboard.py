"""TensorBoard event files. Source: tensorboard/compat/proto/{event,summary,tensor}.proto."""

from __future__ import annotations

from mindviz.datavisual.data_transform.wire_schema import Field, Role, WireSchema
from mindviz.wire.framing import Framing

EVENT = WireSchema(
    name="tensorboard",
    framing=Framing.TFRECORD,
    record=(
        Field(1, Role.WALL_TIME_SECONDS),
        Field(2, Role.STEP),
        Field(3, Role.VERSION),
        Field(4, Role.BLOB, "graph_def", tag="__run_graph__"),
        Field(5, Role.SUMMARY),
        Field(7, Role.SESSION_LOG),
        Field(8, Role.BLOB, "tagged_run_metadata", tag="__run_metadata__"),
        Field(9, Role.BLOB, "meta_graph_def", tag="__meta_graph__"),
    ),
    summary=(Field(1, Role.VALUE),),
    value=(
        Field(1, Role.TAG),
        Field(2, Role.FLOAT),
        Field(3, Role.IGNORE),
        Field(4, Role.BLOB, "image"),
        Field(5, Role.BLOB, "histo"),
        Field(6, Role.BLOB, "audio"),
        Field(8, Role.TF_TENSOR, "tensor"),
        Field(9, Role.METADATA),
    ),
)
