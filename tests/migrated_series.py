"""Migrates logged series as providers do."""

from __future__ import annotations

from collections.abc import Sequence

from mindviz.datavisual.logs.formats import log_formats
from mindviz.datavisual.logs.migration import GenericSeries, generic_series
from mindviz.datavisual.series.time_series import DataClass
from tests.proto import tensorboard_pb2 as pb

FORMATS = {log_format.name: log_format for log_format in log_formats()}


def metadata_of(plugin_name: str, data_class: DataClass = DataClass.UNKNOWN) -> bytes:
    """A serialized SummaryMetadata, as writers encode it."""
    message = pb.SummaryMetadata(display_name="shown", summary_description="*said*")
    message.plugin_data.plugin_name = plugin_name
    message.plugin_data.content = b"own"
    message.data_class = list(DataClass).index(data_class)  # type: ignore[assignment]
    return message.SerializeToString()


def migrated(
    format_name: str, kind: str, metadata: bytes = b"", *, is_tensor: bool = False
) -> Sequence[GenericSeries]:
    logged = FORMATS[format_name].classify(kind, "a/b", metadata, "file")
    assert logged is not None
    return generic_series(format_name, kind, logged, metadata, is_tensor=is_tensor)
