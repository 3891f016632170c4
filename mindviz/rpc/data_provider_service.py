"""TensorBoard's ten data calls, from the bytes of a request to those of the response.

Independent of gRPC. Source: tensorboard/data/proto/data_provider.proto and TensorBoard's own data
server.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from google.protobuf.message import DecodeError, Message

from mindviz.datavisual.generic.data_provider import DataProvider, RequestContext
from mindviz.datavisual.plugins import hparams
from mindviz.datavisual.series.generic_series import Nested, SeriesListing
from mindviz.datavisual.series.time_series import DataClass
from mindviz.errors import InvalidQuery
from mindviz.rpc import hparams_listing
from mindviz.rpc.messages import (
    blob_sequence_data,
    blob_sequence_metadata,
    response_message,
    scalar_data,
    series_metadata,
    tensor_data,
)
from mindviz.rpc.run_names import run_name
from mindviz.rpc.series_requests import listed, read
from mindviz.wire.encode import delimited
from mindviz.wire.proto import data_provider_pb2 as proto

SERVICE_NAME = "tensorboard.data.TensorBoardDataProvider"

Answer = Callable[[bytes, RequestContext], bytes]
"""Raises MindvizError."""
AnswerInPieces = Callable[[bytes, RequestContext], Iterator[bytes]]

AnyRequest = TypeVar("AnyRequest", bound=Message)

_NANOSECONDS = 1_000_000_000


class DataProviderService:
    """Serves any provider. Thread-safe."""

    def __init__(
        self, provider: DataProvider, most_points: Mapping[str, int] | None = None
    ) -> None:
        """`most_points`: plugin -> limit on the points per series."""
        self._provider = provider
        self._most_points = most_points or {}
        self.answers: Mapping[str, Answer] = {
            "GetExperiment": self._get_experiment,
            "ListPlugins": self._list_plugins,
            "ListRuns": self._list_runs,
            "ListScalars": self._list_scalars,
            "ReadScalars": self._read_scalars,
            "ListTensors": self._list_tensors,
            "ReadTensors": self._read_tensors,
            "ListBlobSequences": self._list_blob_sequences,
            "ReadBlobSequences": self._read_blob_sequences,
        }
        """Unary calls by name."""
        self.streams: Mapping[str, AnswerInPieces] = {"ReadBlob": self._read_blob}
        """Calls that respond with a stream of messages, by name."""

    # The experiment -------------------------------------------------------------------------------

    def _get_experiment(self, request: bytes, context: RequestContext) -> bytes:
        query = _parsed(proto.DataRequest, "GetExperiment", request)
        info = self._provider.experiment(context, experiment_id=query.experiment_id)
        answer = proto.GetExperimentResponse(
            data_location=info.data_location, name=info.name, description=info.description
        )
        if info.creation_time is not None:
            answer.creation_time.FromNanoseconds(int(info.creation_time * _NANOSECONDS))
        return answer.SerializeToString()

    def _list_plugins(self, request: bytes, context: RequestContext) -> bytes:
        query = _parsed(proto.DataRequest, "ListPlugins", request)
        names = self._provider.list_plugins(context, experiment_id=query.experiment_id)
        plugins = [proto.ListPluginsResponse.Plugin(name=name) for name in names]
        return proto.ListPluginsResponse(plugins=plugins).SerializeToString()

    def _list_runs(self, request: bytes, context: RequestContext) -> bytes:
        """Runs with a start time; TensorBoard would show others as started in 1970."""
        query = _parsed(proto.DataRequest, "ListRuns", request)
        runs = [
            proto.ListRunsResponse.Run(name=run_name(run.train_id), start_time=run.start_time)
            for run in self._provider.list_train_jobs(context, experiment_id=query.experiment_id)
            if run.start_time is not None
        ]
        return proto.ListRunsResponse(runs=runs).SerializeToString()

    # Lists ----------------------------------------------------------------------------------------

    def _list_scalars(self, request: bytes, context: RequestContext) -> bytes:
        sent = _parsed(proto.DataRequest, "ListScalars", request)
        return response_message(self._listed(sent, DataClass.SCALAR, context), series_metadata)

    def _list_tensors(self, request: bytes, context: RequestContext) -> bytes:
        sent = _parsed(proto.DataRequest, "ListTensors", request)
        answer = self._listed(sent, DataClass.TENSOR, context)
        if sent.plugin_filter.plugin_name == hparams.NAME:
            answer = hparams_listing.without_empty_experiments(answer)
        return response_message(answer, series_metadata)

    def _list_blob_sequences(self, request: bytes, context: RequestContext) -> bytes:
        sent = _parsed(proto.DataRequest, "ListBlobSequences", request)
        answer = self._listed(sent, DataClass.BLOB_SEQUENCE, context)
        return response_message(answer, blob_sequence_metadata)

    def _listed(
        self, sent: proto.DataRequest, data_class: DataClass, context: RequestContext
    ) -> Nested[SeriesListing]:
        return self._provider.listings(context, sent.experiment_id, listed(sent, data_class))

    # Values ---------------------------------------------------------------------------------------

    def _read_scalars(self, request: bytes, context: RequestContext) -> bytes:
        sent = _parsed(proto.DataRequest, "ReadScalars", request)
        query = read(sent, DataClass.SCALAR, self._most_points)
        answer = self._provider.scalars(context, sent.experiment_id, query)
        return response_message(answer, scalar_data)

    def _read_tensors(self, request: bytes, context: RequestContext) -> bytes:
        sent = _parsed(proto.DataRequest, "ReadTensors", request)
        query = read(sent, DataClass.TENSOR, self._most_points)
        answer = self._provider.tensors(context, sent.experiment_id, query)
        return response_message(answer, tensor_data)

    def _read_blob_sequences(self, request: bytes, context: RequestContext) -> bytes:
        sent = _parsed(proto.DataRequest, "ReadBlobSequences", request)
        query = read(sent, DataClass.BLOB_SEQUENCE, self._most_points)
        answer = self._provider.blob_sequences(context, sent.experiment_id, query)
        return response_message(answer, blob_sequence_data)

    def _read_blob(self, request: bytes, context: RequestContext) -> Iterator[bytes]:
        query = _parsed(proto.ReadBlobRequest, "ReadBlob", request)
        blob = self._provider.read_blob(context, blob_key=query.blob_key)
        for chunk in blob.chunks():
            yield delimited(1, chunk)


def _parsed(kind: type[AnyRequest], call: str, request: bytes) -> AnyRequest:
    """The request of the call of this name. Raises InvalidQuery."""
    try:
        return kind.FromString(request)
    except DecodeError as error:
        raise InvalidQuery(f"The request is not a {call}Request.") from error
