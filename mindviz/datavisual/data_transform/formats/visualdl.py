"""VisualDL record files. Source: visualdl/proto/record.proto."""

from __future__ import annotations

from mindviz.datavisual.data_transform.wire_schema import Field, Role, WireSchema
from mindviz.wire.framing import Framing

RECORD = WireSchema(
    name="visualdl",
    framing=Framing.LENGTH_PREFIXED,
    record=(Field(1, Role.VALUE),),
    value=(
        Field(1, Role.STEP),
        Field(2, Role.TAG),
        Field(3, Role.WALL_TIME_MILLISECONDS),
        Field(4, Role.FLOAT),
        Field(5, Role.BLOB, "image"),
        Field(6, Role.BLOB, "audio"),
        Field(7, Role.BLOB, "embeddings"),
        Field(8, Role.BLOB, "histogram"),
        Field(9, Role.BLOB, "pr_curve"),
        Field(10, Role.VERSION),
        Field(11, Role.BLOB, "roc_curve"),
        Field(12, Role.BLOB, "text"),
        Field(13, Role.BLOB, "hparam"),
        Field(14, Role.TAGGED_FLOAT),
    ),
)
