"""MindSpore summary and lineage files. Source: mindspore summary.proto, lineage.proto."""

from __future__ import annotations

from mindviz.datavisual.data_transform.wire_schema import Field, Role, WireSchema
from mindviz.wire.framing import Framing

EVENT = WireSchema(
    name="mindspore",
    framing=Framing.TFRECORD,
    record=(
        Field(1, Role.WALL_TIME_SECONDS),
        Field(2, Role.STEP),
        Field(3, Role.VERSION),
        Field(4, Role.BLOB, "graph", tag="graph"),
        Field(5, Role.SUMMARY),
    ),
    summary=(Field(1, Role.VALUE),),
    value=(
        Field(1, Role.TAG),
        Field(3, Role.FLOAT),
        Field(4, Role.BLOB, "image"),
        Field(8, Role.BLOB, "tensor"),
        Field(9, Role.BLOB, "histogram"),
        Field(10, Role.BLOB, "loss_landscape"),
    ),
)

LINEAGE_EVENT = WireSchema(
    name="mindspore_lineage",
    framing=Framing.TFRECORD,
    record=(
        Field(1, Role.WALL_TIME_SECONDS),
        Field(2, Role.STEP),
        Field(6, Role.BLOB, "train_lineage", tag="train_lineage"),
        Field(7, Role.BLOB, "evaluation_lineage", tag="evaluation_lineage"),
        Field(9, Role.BLOB, "dataset_graph", tag="dataset_graph"),
        Field(10, Role.BLOB, "user_defined_info", tag="user_defined_info"),
    ),
)
