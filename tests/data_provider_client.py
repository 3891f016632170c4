"""A gRPC client of the data provider, like TensorBoard's, and a server for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import grpc
from google.protobuf.message import Message

from mindviz.datavisual.generic.data_provider import DataProvider
from mindviz.rpc.data_provider_service import SERVICE_NAME, DataProviderService
from mindviz.rpc.grpc_server import serving
from tests.proto import data_provider_pb2 as proto

PATIENCE = 40.0
"""Timeout of a call, in seconds."""


class DataProviderClient:
    """Calls over a real channel."""

    def __init__(self, port: int, authorization: str = "") -> None:
        self._metadata = (("authorization", authorization),) if authorization else ()
        # TensorBoard's settings: local credentials, and its limit of answers.
        self._channel = grpc.secure_channel(
            f"localhost:{port}",
            grpc.local_channel_credentials(),
            options=[("grpc.max_receive_message_length", 256 * 1024 * 1024)],
        )

    def close(self) -> None:
        self._channel.close()

    def call(self, name: str, request: Message | bytes) -> Any:
        """The answer to the call of this name."""
        raw = request if isinstance(request, bytes) else request.SerializeToString()
        path = f"/{SERVICE_NAME}/{name}"
        if name == "ReadBlob":
            stream = self._channel.unary_stream(path, bytes, bytes)(
                raw, timeout=PATIENCE, metadata=self._metadata
            )
            return [proto.ReadBlobResponse.FromString(piece) for piece in stream]
        answer = self._channel.unary_unary(path, bytes, bytes)(
            raw, timeout=PATIENCE, metadata=self._metadata
        )
        return getattr(proto, f"{name}Response").FromString(answer)

    def ask(self, name: str, plugin_name: str, points: int | None = None, **names: Any) -> Any:
        """A call about series; `runs` and `tags` are its filters, None for all."""
        return tags_of(self.call(name, series_request(name, plugin_name, points, **names)))

    def blob(self, key: str) -> bytes:
        """The bytes of a blob."""
        pieces = self.call("ReadBlob", proto.ReadBlobRequest(blob_key=key))
        return b"".join(piece.data for piece in pieces)


def series_request(
    name: str,
    plugin_name: str,
    points: int | None = None,
    *,
    runs: Iterable[str] | None = None,
    tags: Iterable[str] | None = None,
    experiment_id: str = "",
) -> Any:
    """A request about series."""
    request = getattr(proto, f"{name}Request")(experiment_id=experiment_id)
    request.plugin_filter.plugin_name = plugin_name
    if points is not None:
        request.downsample.num_points = points
    if runs is not None:
        request.run_tag_filter.runs.SetInParent()
        request.run_tag_filter.runs.names[:] = sorted(runs)
    if tags is not None:
        request.run_tag_filter.tags.SetInParent()
        request.run_tag_filter.tags.names[:] = sorted(tags)
    return request


def tags_of(answer: Any) -> Mapping[str, Mapping[str, Any]]:
    """run -> tag -> entry of the answer."""
    return {
        run.run_name: {
            tag.tag_name: tag.data if hasattr(tag, "data") else tag.metadata for tag in run.tags
        }
        for run in answer.runs
    }


@contextmanager
def asking(
    provider: DataProvider, most_points: Mapping[str, int] | None = None
) -> Iterator[DataProviderClient]:
    """A client of a server with this provider."""
    with serving(DataProviderService(provider, most_points), "127.0.0.1", 0) as port:
        client = DataProviderClient(port)
        try:
            yield client
        finally:
            client.close()
