"""GrpcServer: the data provider service on a port. The only module that knows gRPC.

grpcio comes with the extra `tensorboard`; it is imported when a server is made.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING

from mindviz.access_token import AccessToken
from mindviz.certificate import Certificate
from mindviz.datavisual.generic.series_query import RequestContext
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
"""How long an answer in one message may take."""
LARGEST_REQUEST = 64 * 1024 * 1024
"""Bytes. A filter may name tens of thousands of runs, which gRPC's own 4 MiB would not hold."""
_LAST_WORDS = 1.0
"""Seconds that answers under way have to be finished when the server stops."""

STATUS: Mapping[type[MindvizError], str] = {
    InvalidQuery: "INVALID_ARGUMENT",
    NotFound: "NOT_FOUND",
    # TensorBoard answers this one with 404 and its message, all others but two with 500.
    DamagedValue: "NOT_FOUND",
    DatabaseUnavailable: "UNAVAILABLE",
    ServerBusy: "UNAVAILABLE",
    DeadlineExceeded: "DEADLINE_EXCEEDED",
    Cancelled: "CANCELLED",
    LogUnreadable: "UNAVAILABLE",
    TokenRequired: "UNAUTHENTICATED",
    MindvizError: "INTERNAL",
}
"""Error class -> status. A class that is not in it answers as its nearest base class does."""


@contextmanager
def serving(
    service: DataProviderService,
    host: str,
    port: int,
    auth_token: str = "",
    certificate: Certificate | None = None,
) -> Iterator[int]:
    """Answer on this address meanwhile; the port, also if 0 was given.

    With a token, only calls whose metadata has `authorization: Bearer TOKEN`; with a certificate,
    over TLS.
    Raises StartError if the address cannot be listened on.
    """
    import grpc  # noqa: PLC0415 -- few need it, and it takes its time

    server = grpc.server(
        ThreadPoolExecutor(THREADS, "mindviz-grpc"),
        options=[
            ("grpc.max_receive_message_length", LARGEST_REQUEST),
            ("grpc.max_send_message_length", -1),
            # Else two servers could listen on one port, each getting some of the requests.
            ("grpc.so_reuseport", 0),
        ],
    )
    server.add_generic_rpc_handlers((_handlers(service, auth_token),))
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
        server.stop(_LAST_WORDS).wait()


def _handlers(service: DataProviderService, auth_token: str) -> grpc.GenericRpcHandler:
    """Registered by name: the messages are of our own package, the path is TensorBoard's."""
    import grpc  # noqa: PLC0415 -- few need it, and it takes its time

    token = AccessToken(auth_token) if auth_token else None
    methods: dict[str, grpc.RpcMethodHandler[bytes, bytes]] = {
        name: grpc.unary_unary_rpc_method_handler(_answering(answer, token))
        for name, answer in service.answers.items()
    }
    streams: dict[str, grpc.RpcMethodHandler[bytes, bytes]] = {
        name: grpc.unary_stream_rpc_method_handler(_streaming(answer, token))
        for name, answer in service.streams.items()
    }
    return grpc.method_handlers_generic_handler(SERVICE_NAME, {**methods, **streams})


def _answering(
    answer: Answer, token: AccessToken | None
) -> Callable[[bytes, grpc.ServicerContext], bytes]:
    def handle(request: bytes, context: grpc.ServicerContext) -> bytes:
        work = allow(CALL_SECONDS)

        def cancel() -> None:
            work.cancelled = True

        context.add_callback(cancel)  # the call ended, or its client is gone
        with _refusing(context), doing(work):
            return answer(request, _asker(context, token))

    return handle


def _streaming(
    answer: AnswerInPieces, token: AccessToken | None
) -> Callable[[bytes, grpc.ServicerContext], Iterator[bytes]]:
    def handle(request: bytes, context: grpc.ServicerContext) -> Iterator[bytes]:
        with _refusing(context):
            yield from answer(request, _asker(context, token))

    return handle


def _asker(context: grpc.ServicerContext, token: AccessToken | None) -> RequestContext:
    """Who calls. Raises TokenRequired."""
    metadata = {name: str(value) for name, value in context.invocation_metadata()}
    header = metadata.get("authorization", "")
    if token is not None and not token.is_header(header):
        raise TokenRequired("Send the token as metadata: `authorization: Bearer TOKEN`.")
    return RequestContext(header)


@contextmanager
def _refusing(context: grpc.ServicerContext) -> Iterator[None]:
    """Ends the call with a status for whatever goes wrong inside."""
    import grpc  # noqa: PLC0415 -- few need it, and it takes its time

    try:
        yield
    except MindvizError as error:
        name = next(STATUS[one] for one in type(error).__mro__ if one in STATUS)
        release_frames(error)
        context.abort(grpc.StatusCode[name], str(error))
    except Exception as error:
        _logger.exception("A request failed")
        release_frames(error)
        text = "Internal error while answering this request. Please report it."
        context.abort(grpc.StatusCode.INTERNAL, text)
