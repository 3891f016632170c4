"""GrpcServer: serves the data provider service. The only module that imports gRPC.

grpcio is an extra, `tensorboard`, imported when a server starts.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING

from mindviz.access_token import AccessToken
from mindviz.answer_memory import AnswerBudget, Reservation, claiming
from mindviz.certificate import Certificate
from mindviz.datavisual.generic.data_provider import RequestContext
from mindviz.deadline import allow, doing
from mindviz.errors import (
    Cancelled,
    DamagedValue,
    DatabaseUnavailable,
    DeadlineExceeded,
    InvalidQuery,
    LogUnreadable,
    MindvizError,
    NotFound,
    ServerBusy,
    StartError,
    TokenRequired,
    release_frames,
)
from mindviz.rpc.data_provider_service import (
    SERVICE_NAME,
    Answer,
    AnswerInPieces,
    DataProviderService,
)

if TYPE_CHECKING:
    import grpc

_logger = logging.getLogger(__name__)

THREADS = 8
CALL_SECONDS = 60.0
"""Limit for an answer in one message."""
MAX_WAITING = 4
"""Calls that may wait for memory, each in a thread."""
SMALL_ANSWER = 512 * 1024
"""Bytes up to which answers are not counted."""
RETRY_HINT = "grpc-retry-pushback-ms"
LARGEST_REQUEST = 64 * 1024 * 1024
"""Bytes. A filter may name tens of thousands of runs, more than gRPC's default of 4 MiB holds."""
_GRACE_SECONDS = 1.0
"""Seconds to finish answers when the server stops."""

STATUS: Mapping[type[MindvizError], str] = {
    InvalidQuery: "INVALID_ARGUMENT",
    NotFound: "NOT_FOUND",
    # TensorBoard answers this status with 404 and the message, most others with 500.
    DamagedValue: "NOT_FOUND",
    DatabaseUnavailable: "UNAVAILABLE",
    ServerBusy: "UNAVAILABLE",
    DeadlineExceeded: "DEADLINE_EXCEEDED",
    Cancelled: "CANCELLED",
    LogUnreadable: "UNAVAILABLE",
    TokenRequired: "UNAUTHENTICATED",
    MindvizError: "INTERNAL",
}
"""Error class -> status; other classes use their nearest base class."""


@contextmanager
def serving(
    service: DataProviderService,
    host: str,
    port: int,
    auth_token: str = "",
    certificate: Certificate | None = None,
    *,
    budget: AnswerBudget | None = None,
) -> Iterator[int]:
    """Serve on this address inside the block; yields the port, which is free if 0 was given.

    With a token, calls need the metadata `authorization: Bearer TOKEN`; with a certificate, TLS.
    Answers count in the budget until they are sent.
    Raises StartError if it cannot listen on the address.
    """
    import grpc  # noqa: PLC0415 -- few need it, and it takes its time

    server = grpc.server(
        ThreadPoolExecutor(THREADS, "mindviz-grpc"),
        options=[
            ("grpc.max_receive_message_length", LARGEST_REQUEST),
            ("grpc.max_send_message_length", -1),
            # Otherwise two servers could share a port, each getting some of the requests.
            ("grpc.so_reuseport", 0),
        ],
    )
    calls = _Calls(budget or AnswerBudget.beside_columns(0))
    server.add_generic_rpc_handlers((_handlers(service, auth_token, calls),))
    address = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    try:
        if certificate is None:
            bound = server.add_insecure_port(address)
        else:
            credentials = grpc.ssl_server_credentials([certificate.contents()])
            bound = server.add_secure_port(address, credentials)
    except RuntimeError as error:
        raise StartError(f"Cannot listen on {address} for gRPC.") from error
    server.start()
    try:
        yield bound
    finally:
        server.stop(_GRACE_SECONDS).wait()


def _handlers(
    service: DataProviderService, auth_token: str, calls: _Calls
) -> grpc.GenericRpcHandler:
    """Registered by name, because the path is TensorBoard's, but the messages are mindviz's."""
    import grpc  # noqa: PLC0415 -- few need it, and it takes its time

    token = AccessToken(auth_token) if auth_token else None
    methods: dict[str, grpc.RpcMethodHandler[bytes, bytes]] = {
        name: grpc.unary_unary_rpc_method_handler(_unary(answer, token, calls))
        for name, answer in service.answers.items()
    }
    streams: dict[str, grpc.RpcMethodHandler[bytes, bytes]] = {
        name: grpc.unary_stream_rpc_method_handler(_stream(answer, token))
        for name, answer in service.streams.items()
    }
    return grpc.method_handlers_generic_handler(SERVICE_NAME, {**methods, **streams})


class _Calls:
    """The memory budget of all calls, and the limit of calls that wait for it."""

    def __init__(self, budget: AnswerBudget) -> None:
        self._budget = budget
        self._waiting = threading.BoundedSemaphore(MAX_WAITING)

    @contextmanager
    def _wait(self) -> Iterator[None]:
        if not self._waiting.acquire(blocking=False):
            raise ServerBusy(f"{MAX_WAITING} calls are waiting for memory already.")
        try:
            yield
        finally:
            self._waiting.release()

    @contextmanager
    def begin(self, context: grpc.ServicerContext) -> Iterator[Reservation]:
        """Run a call inside the block; it holds its reservation until it ends."""
        work = allow(CALL_SECONDS)
        work.waiting = self._wait
        reservation = Reservation(self._budget)

        def end() -> None:
            work.cancelled = True
            reservation.release()

        # Called when the answer was sent or the client disconnected.
        goes_on = context.add_callback(end)
        try:
            with doing(work), claiming(reservation):
                yield reservation
        except BaseException:
            reservation.release()
            raise
        if work.cancelled or not goes_on:  # it ended before everything was claimed
            reservation.release()


def _unary(
    answer: Answer, token: AccessToken | None, calls: _Calls
) -> Callable[[bytes, grpc.ServicerContext], bytes]:
    def handle(request: bytes, context: grpc.ServicerContext) -> bytes:
        with _translate_errors(context), calls.begin(context) as reservation:
            message = answer(request, _caller(context, token))
            if len(message) > SMALL_ANSWER:
                reservation.cover(len(message))
            return message

    return handle


def _stream(
    answer: AnswerInPieces, token: AccessToken | None
) -> Callable[[bytes, grpc.ServicerContext], Iterator[bytes]]:
    def handle(request: bytes, context: grpc.ServicerContext) -> Iterator[bytes]:
        with _translate_errors(context):
            yield from answer(request, _caller(context, token))

    return handle


def _caller(context: grpc.ServicerContext, token: AccessToken | None) -> RequestContext:
    """The caller. Raises TokenRequired."""
    metadata = {name: str(value) for name, value in context.invocation_metadata()}
    header = metadata.get("authorization", "")
    if token is not None and not token.is_header(header):
        raise TokenRequired("Send the token as metadata: `authorization: Bearer TOKEN`.")
    return RequestContext(header)


@contextmanager
def _translate_errors(context: grpc.ServicerContext) -> Iterator[None]:
    import grpc  # noqa: PLC0415 -- few need it, and it takes its time

    try:
        yield
    except MindvizError as error:
        name = next(STATUS[kind] for kind in type(error).__mro__ if kind in STATUS)
        release_frames(error)
        if isinstance(error, ServerBusy):
            # Clients with a `retryPolicy` wait this long.
            context.set_trailing_metadata(((RETRY_HINT, str(1000 * error.retry_after)),))
        context.abort(grpc.StatusCode[name], str(error))
    except Exception as error:
        _logger.exception("A request failed")
        release_frames(error)
        text = "Internal error while answering this request. Please report it."
        context.abort(grpc.StatusCode.INTERNAL, text)
