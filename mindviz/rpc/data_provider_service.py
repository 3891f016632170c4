"""DataProviderService: TensorBoard's ten questions, from the bytes of a request to an answer's.

Source: tensorboard/data/proto/data_provider.proto, and what its own data server does. It knows
nothing of gRPC itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from google.protobuf.message import DecodeError, Message

from mindviz.datavisual.generic.data_provider import DataProvider
from mindviz.datavisual.generic.series_query import RequestContext, SeriesQuery
from mindviz.datavisual.series.time_series import DataClass
from mindviz.errors import InvalidQuery
from mindviz.rpc import hparams_listing
from mindviz.rpc.answers import (
    answer_message,
    blob_sequence_data,
    blob_sequence_metadata,
    scalar_data,
    series_metadata,
    tensor_data,
)
from mindviz.rpc.run_names import run_name
from mindviz.rpc.selection import ReadRequest, listed, read
from mindviz.wire.encode import delimited
from mindviz.wire.proto import data_provider_pb2 as proto

SERVICE_NAME = "tensorboard.data.TensorBoardDataProvider"

Answer = Callable[[bytes, RequestContext], bytes]
"""Raises MindvizError."""
AnswerInPieces = Callable[[bytes, RequestContext], Iterator[bytes]]

AnyRequest = TypeVar("AnyRequest", bound=Message)

_NANOSECONDS = 1_000_000_000


class DataProviderService:
    """Answers from any provider; its methods may be called from any thread."""

    def __init__(
        self, provider: DataProvider, most_points: Mapping[str, int] | None = None
    ) -> None:
        """`most_points`: plugin -> points of each of its series to answer with at most."""
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
        """Name of the call -> what answers it."""
        self.streams: Mapping[str, AnswerInPieces] = {"ReadBlob": self._read_blob}
        """The same, of calls whose answer is a stream of messages."""

    # The experiment -------------------------------------------------------------------------------

    def _get_experiment(self, request: bytes, asker: RequestContext) -> bytes:
        asked = _parsed(proto.GetExperimentRequest, request)
        info = self._provider.experiment(asker, experiment_id=asked.experiment_id)
        answer = proto.GetExperimentResponse(
            data_location=info.data_location, name=info.name, description=info.description
        )
        if info.creation_time is not None:
            answer.creation_time.FromNanoseconds(int(info.creation_time * _NANOSECONDS))
        return answer.SerializeToString()

    def _list_plugins(self, request: bytes, asker: RequestContext) -> bytes:
        asked = _parsed(proto.ListPluginsRequest, request)
        names = self._provider.list_plugins(asker, experiment_id=asked.experiment_id)
        answer = proto.ListPluginsResponse(plugins=[proto.Plugin(name=name) for name in names])
        return answer.SerializeToString()

    def _list_runs(self, request: bytes, asker: RequestContext) -> bytes:
        """Without a start time a run would have to be from 1970, and be the first."""
        asked = _parsed(proto.ListRunsRequest, request)
        runs = [
            proto.Run(name=run_name(run.train_id), start_time=run.start_time)
            for run in self._provider.list_train_jobs(asker, experiment_id=asked.experiment_id)
            if run.start_time is not None
        ]
        return proto.ListRunsResponse(runs=runs).SerializeToString()

    # Lists ----------------------------------------------------------------------------------------

    def _list_scalars(self, request: bytes, asker: RequestContext) -> bytes:
        asked = listed(_parsed(proto.ListScalarsRequest, request), DataClass.SCALAR)
        return answer_message(self._provider.listings(asker, asked), series_metadata)

    def _list_tensors(self, request: bytes, asker: RequestContext) -> bytes:
        asked = listed(_parsed(proto.ListTensorsRequest, request), DataClass.TENSOR)
        found = self._provider.listings(asker, asked)
        if asked.plugin_name == hparams_listing.PLUGIN_NAME:
            found = hparams_listing.telling_hparams(found)
        return answer_message(found, series_metadata)

    def _list_blob_sequences(self, request: bytes, asker: RequestContext) -> bytes:
        asked = listed(_parsed(proto.ListBlobSequencesRequest, request), DataClass.BLOB_SEQUENCE)
        found = self._provider.listings(asker, asked)
        return answer_message(found, blob_sequence_metadata)

    # Values ---------------------------------------------------------------------------------------

    def _read_scalars(self, request: bytes, asker: RequestContext) -> bytes:
        asked = self._read(_parsed(proto.ReadScalarsRequest, request), DataClass.SCALAR)
        return answer_message(self._provider.scalars(asker, asked), scalar_data)

    def _read_tensors(self, request: bytes, asker: RequestContext) -> bytes:
        asked = self._read(_parsed(proto.ReadTensorsRequest, request), DataClass.TENSOR)
        return answer_message(self._provider.tensors(asker, asked), tensor_data)

    def _read_blob_sequences(self, request: bytes, asker: RequestContext) -> bytes:
        sent = _parsed(proto.ReadBlobSequencesRequest, request)
        asked = self._read(sent, DataClass.BLOB_SEQUENCE)
        found = self._provider.blob_sequences(asker, asked)
        return answer_message(found, blob_sequence_data)

    def _read(self, request: ReadRequest, data_class: DataClass) -> SeriesQuery:
        return read(request, data_class, self._most_points)

    def _read_blob(self, request: bytes, asker: RequestContext) -> Iterator[bytes]:
        asked = _parsed(proto.ReadBlobRequest, request)
        blob = self._provider.read_blob(asker, blob_key=asked.blob_key)
        for chunk in blob.chunks():
            yield delimited(1, chunk)


def _parsed(kind: type[AnyRequest], request: bytes) -> AnyRequest:
    """Raises InvalidQuery."""
    try:
        return kind.FromString(request)
    except DecodeError as error:
        raise InvalidQuery(f"The request is no {kind.__name__}.") from error
