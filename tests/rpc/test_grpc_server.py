from __future__ import annotations

import socket
import threading
from pathlib import Path

import grpc
import numpy as np
import pytest

from mindviz.answer_memory import AnswerBudget, Reservation, claim
from mindviz.datavisual.generic.data_provider import DataProvider, RequestContext, StoreProvider
from mindviz.deadline import check
from mindviz.errors import (
    BrokenDataClass,
    DatabaseUnavailable,
    DeadlineExceeded,
    MindvizError,
    ServerBusy,
    StartError,
    TagNotFound,
)
from mindviz.rpc.data_provider_service import SERVICE_NAME, DataProviderService
from mindviz.rpc.grpc_server import RETRY_HINT, SMALL_ANSWER, serving
from mindviz.wire import encode_tensorboard as tensorboard
from mindviz.wire.encode import frames
from mindviz.wire.framing import Framing
from tests.data_provider_client import PATIENCE, DataProviderClient, asking, series_request
from tests.proto import data_provider_pb2 as proto
from tests.written_logs import loaded, write


class Failing(DataProviderService):
    """A service that answers ListPlugins and ReadBlob with an error."""

    def __init__(self, provider: DataProvider, error: Exception) -> None:
        super().__init__(provider)

        def fail(request: bytes, asker: RequestContext) -> bytes:
            raise error

        self.answers = {**self.answers, "ListPlugins": fail}


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (TagNotFound("./a", "scalar", "x"), "NOT_FOUND"),
        (BrokenDataClass("It is broken."), "NOT_FOUND"),
        (DatabaseUnavailable("It is away."), "UNAVAILABLE"),
        (ServerBusy("It is busy."), "UNAVAILABLE"),
        (DeadlineExceeded(60), "DEADLINE_EXCEEDED"),
        (MindvizError("It went wrong."), "INTERNAL"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_errors_have_a_status_and_their_message(
    provider: DataProvider, error: MindvizError, status: str
) -> None:
    with serving(Failing(provider, error), "127.0.0.1", 0) as port:
        client = DataProviderClient(port)
        with pytest.raises(grpc.RpcError) as caught:
            client.call("ListPlugins", proto.ListPluginsRequest())
        client.close()
    assert isinstance(caught.value, grpc.Call)
    assert (caught.value.code().name, caught.value.details()) == (status, str(error))


def test_unexpected_errors_are_logged_and_the_service_continues(
    provider: DataProvider, caplog: pytest.LogCaptureFixture
) -> None:
    with serving(Failing(provider, RuntimeError("secret")), "127.0.0.1", 0) as port:
        client = DataProviderClient(port)
        with pytest.raises(grpc.RpcError) as caught:
            client.call("ListPlugins", proto.ListPluginsRequest())
        assert client.call("GetExperiment", proto.GetExperimentRequest()).name == "exp"
        client.close()
    assert isinstance(caught.value, grpc.Call)
    assert caught.value.code() is grpc.StatusCode.INTERNAL
    assert "secret" not in (caught.value.details() or "")
    assert "secret" in caplog.text


def test_a_call_ends_when_its_client_disconnects(provider: DataProvider) -> None:
    begun, ended = threading.Event(), threading.Event()
    service = DataProviderService(provider)

    def work(request: bytes, asker: RequestContext) -> bytes:
        begun.set()
        try:
            while True:
                check()
        finally:
            ended.set()

    service.answers = {**service.answers, "ListPlugins": work}
    with serving(service, "127.0.0.1", 0) as port:
        with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
            call = channel.unary_unary(f"/{SERVICE_NAME}/ListPlugins", bytes, bytes)
            pending = call.future(b"")
            assert begun.wait(PATIENCE)
            pending.cancel()
        assert ended.wait(PATIENCE)


def test_an_answer_without_room_is_unavailable_for_a_while(provider: DataProvider) -> None:
    budget = AnswerBudget(100, wait_seconds=0.0)
    other = Reservation(budget)
    other.claim(100)
    service = DataProviderService(provider)

    def large(request: bytes, asker: RequestContext) -> bytes:
        claim(50)
        return b"x" * (2 * SMALL_ANSWER)

    service.answers = {**service.answers, "ListPlugins": large}
    with (
        serving(service, "127.0.0.1", 0, budget=budget) as port,
        grpc.insecure_channel(f"127.0.0.1:{port}") as channel,
    ):
        call = channel.unary_unary(f"/{SERVICE_NAME}/ListPlugins", bytes, bytes)
        with pytest.raises(grpc.RpcError) as caught:
            call(b"", timeout=PATIENCE)
        assert isinstance(caught.value, grpc.Call)
        assert caught.value.code() is grpc.StatusCode.UNAVAILABLE
        assert dict(caught.value.trailing_metadata()) == {RETRY_HINT: "2000"}
        assert budget.nbytes == 100
        other.release()
        assert len(call(b"", timeout=PATIENCE)) == 2 * SMALL_ANSWER
    # The server has ended, and with it all calls.
    assert budget.nbytes == 0


TOKEN = "0123456789abcdef"


@pytest.mark.parametrize("header", ["", TOKEN, "Bearer no", f"Basic {TOKEN}"])
def test_calls_without_the_token_are_refused(provider: DataProvider, header: str) -> None:
    with serving(DataProviderService(provider), "127.0.0.1", 0, TOKEN) as port:
        client = DataProviderClient(port, header)
        for name, request in (
            ("ListPlugins", proto.ListPluginsRequest()),
            ("ReadBlob", proto.ReadBlobRequest(blob_key="x")),
        ):
            with pytest.raises(grpc.RpcError) as caught:
                client.call(name, request)
            assert isinstance(caught.value, grpc.Call)
            assert caught.value.code() is grpc.StatusCode.UNAUTHENTICATED
            assert TOKEN not in (caught.value.details() or "")
        client.close()


def test_calls_with_the_token_are_answered(provider: DataProvider) -> None:
    with serving(DataProviderService(provider), "127.0.0.1", 0, TOKEN) as port:
        client = DataProviderClient(port, f"Bearer {TOKEN}")
        assert client.call("GetExperiment", proto.GetExperimentRequest()).name == "exp"
        client.close()


def test_a_call_that_does_not_exist_is_unimplemented(client: DataProviderClient) -> None:
    with pytest.raises(grpc.RpcError) as caught:
        client.call("Other", b"")
    assert isinstance(caught.value, grpc.Call)
    assert caught.value.code() is grpc.StatusCode.UNIMPLEMENTED


def test_a_port_in_use_is_an_error_and_is_not_shared(provider: DataProvider) -> None:
    service = DataProviderService(provider)
    with (
        serving(service, "127.0.0.1", 0) as port,
        pytest.raises(StartError, match=f"127.0.0.1:{port}"),
        serving(service, "127.0.0.1", port),
    ):
        pass


def test_the_port_is_free_again_afterwards(provider: DataProvider) -> None:
    service = DataProviderService(provider)
    with serving(service, "127.0.0.1", 0) as port:
        pass
    with serving(service, "127.0.0.1", port) as again:
        assert again == port


def test_an_address_of_ipv6_can_be_listened_on(provider: DataProvider) -> None:
    with socket.socket(socket.AF_INET6) as probe:
        try:
            probe.bind(("::1", 0))
        except OSError:
            pytest.skip("this machine has no IPv6")
    with serving(DataProviderService(provider), "::1", 0) as port:
        client = DataProviderClient(port)
        assert client.call("GetExperiment", proto.GetExperimentRequest()).name == "exp"
        client.close()


def test_a_filter_may_exceed_four_mebibytes(client: DataProviderClient) -> None:
    runs = [f"nobody/{'x' * 90}/{number}" for number in range(60_000)]
    request = series_request("ListScalars", "scalars", runs=[*runs, "tb/all"])
    assert request.ByteSize() > 4 * 1024 * 1024
    assert [run.run_name for run in client.call("ListScalars", request).runs] == ["tb/all"]


def test_an_answer_may_be_larger_than_four_mebibytes(tmp_path: Path) -> None:
    image = b"\x89PNG" + bytes(16)
    values = [
        tensorboard.tensor(f"t{number}", np.zeros((50_000, 3)), plugin_name="histograms")
        for number in range(5)
    ]
    event = tensorboard.event(1.0, 0, [*values, tensorboard.image("i", [image], 1, 1)])
    write(tmp_path, "tfevents.1", frames([event], Framing.TFRECORD))
    with asking(StoreProvider.of(loaded(tmp_path))) as client:
        request = series_request("ReadTensors", "histograms", 10)
        answer = client.call("ReadTensors", request)
    assert answer.ByteSize() > 5 * 1024 * 1024
    assert len(answer.runs[0].tags) == 5
