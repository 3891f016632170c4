"""All errors that mindviz raises on purpose.

`mindviz.backend.errors` maps them to HTTP. Damage inside a log is a `Finding`, not an error, since
the rest of the log is still served.
"""

from __future__ import annotations

import traceback
from collections.abc import Collection

from mindviz.nearest_names import did_you_mean


def release_frames(error: BaseException) -> None:
    """Clear the local variables of all frames in the error's traceback.

    A frame that refers to the error is a cycle, which would keep them until the next collection.
    """
    chain: dict[int, BaseException] = {}
    pending: list[BaseException | None] = [error]
    while pending:
        current = pending.pop()
        if current is not None and id(current) not in chain:
            chain[id(current)] = current
            traceback.clear_frames(current.__traceback__)
            pending += [current.__cause__, current.__context__]


class MindvizError(Exception):
    """Base class; `str(error)` is a sentence for users."""


class InvalidQuery(MindvizError, ValueError):
    """The request is invalid, regardless of the data."""


class FormulaError(InvalidQuery):
    """A formula cannot be parsed."""

    def __init__(self, reason: str, *, character: int | None = None, hint: str = "") -> None:
        """`character`: position of the error from 1; None if unknown."""
        place = "" if character is None else f" at character {character}"
        super().__init__(f"{reason}{place}{hint and f'; {hint}'}.")
        self.reason = reason
        self.character = character
        self.hint = hint


class AnswerTooLarge(InvalidQuery):
    """The response would exceed a limit, which the message names."""


class TensorTooLarge(AnswerTooLarge):
    """A tensor exceeds a limit, which the message names."""


class InvalidLineageQuery(InvalidQuery):
    """A condition, sort order or page of a lineage search is invalid."""


class InvalidFilter(InvalidQuery):
    """The filter of a list of runs cannot be parsed."""

    def __init__(self, reason: str, at: int) -> None:
        """`reason`: what was expected or is wrong; `at`: its position in UTF-16 units."""
        super().__init__(f"Syntax error in the filter at character {at + 1}.")
        self.reason = reason
        self.at = at


class WriterNotFound(InvalidQuery):
    """The series has no points of this writer."""

    def __init__(self, writer: str, *writers: str) -> None:
        names = ", ".join(map(repr, writers))
        super().__init__(f"No writer {writer!r} in this series; writers: {names}.")


class InvalidAnnotation(InvalidQuery):
    """A note about a train job, or a saved view, has an invalid value."""


class ExtraNotInstalled(InvalidQuery):
    """A feature needs packages of an extra that is not installed."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs an extra: pip install 'mindviz[{extra}]'.")


class NotFound(MindvizError, LookupError):
    """The requested object does not exist; the message suggests similar names."""

    def __init__(self, message: str, *, name: str = "", known: Collection[str] = ()) -> None:
        super().__init__(message)
        self._name = name
        self._known = known

    def __str__(self) -> str:
        # Computed when shown, because most of these errors are caught.
        return super().__str__() + did_you_mean(self._name, self._known)


class ExperimentNotFound(NotFound):
    """No experiment has this id."""

    def __init__(self, experiment_id: str, known: Collection[str] = ()) -> None:
        super().__init__(
            f"There is no experiment {experiment_id!r}.", name=experiment_id, known=known
        )
        self.experiment_id = experiment_id


class ViewNotFound(NotFound):
    """No saved view has this id."""

    def __init__(self, view_id: str) -> None:
        super().__init__(f"There is no saved view {view_id!r}.")


class TrainJobNotFound(NotFound):
    """No train job has this id."""

    def __init__(self, train_id: str, known: Collection[str] = ()) -> None:
        super().__init__(f"There is no run {train_id!r}.", name=train_id, known=known)
        self.train_id = train_id


class PluginNotFound(NotFound):
    """No plugin has this name."""

    def __init__(self, plugin_name: str, known: Collection[str] = ()) -> None:
        super().__init__(f"There is no plugin {plugin_name!r}.", name=plugin_name, known=known)
        self.plugin_name = plugin_name


class TagNotFound(NotFound):
    """The train job has no series with this tag."""

    def __init__(
        self, train_id: str, plugin_name: str, tag: str, known: Collection[str] = ()
    ) -> None:
        super().__init__(
            f"Train job {train_id!r} has no {plugin_name} data with tag {tag!r}.",
            name=tag,
            known=known,
        )
        self.train_id = train_id
        self.plugin_name = plugin_name
        self.tag = tag


class LogUnreadable(MindvizError):
    """A log cannot be read at the moment, and is retried; the message names it and the reason."""

    retry_after = 2
    """Seconds."""


class TagUnreadable(LogUnreadable, TagNotFound):
    """The readable part of the train job has no series with this tag."""

    def __init__(self, train_id: str, plugin_name: str, tag: str, reason: str) -> None:
        TagNotFound.__init__(self, train_id, plugin_name, tag)
        self.reason = reason

    def __str__(self) -> str:
        """The reason, then the tag."""
        return f"{self.reason} Tag {self.tag!r} is unknown so far."


class GraphNodeNotFound(NotFound):
    """The graph has no such node."""

    def __init__(self, name: str, known: Collection[str] = ()) -> None:
        super().__init__(f"The graph has no node {name!r}.", name=name, known=known)
        self.name = name


class StepNotFound(NotFound):
    """The series has no value at this step, or none with this index."""

    def __init__(self, tag: str, step: int, *, index: int | None = None) -> None:
        what = "no value" if index is None else f"no value of index {index}"
        super().__init__(f"Tag {tag!r} has {what} at step {step}.")
        self.tag = tag
        self.step = step


class BlobNotFound(NotFound):
    """No blob has this key: the key is damaged, or its blob was deleted."""

    def __init__(self) -> None:
        super().__init__("There is no blob with this key.")


class NothingToExport(NotFound):
    """No series or job matches an export; the message lists existing ones."""


class ServerBusy(MindvizError):
    """Too many requests; the message names the exhausted resource."""

    retry_after = 5
    """Seconds until the client should retry."""


class DeadlineExceeded(ServerBusy):
    """The request took longer than its deadline allows."""

    def __init__(self, seconds: float) -> None:
        super().__init__(
            f"The request took longer than {seconds:g} s. Request less data, or retry later."
        )


class MemoryBusy(ServerBusy):
    """Responses in flight use all of their memory budget."""

    retry_after = 2

    def __init__(self, max_bytes: int) -> None:
        super().__init__(
            f"Other responses use all of the {max_bytes >> 20} MiB for responses. Retry later, "
            "request less data, or start mindviz with a larger --max-memory."
        )


class Cancelled(MindvizError):
    """The client disconnected."""

    def __init__(self) -> None:
        super().__init__("The client disconnected before the response.")


class TooManyExports(MindvizError):
    """The maximum number of exports, in the message, are running."""


class AnnotationsUnavailable(MindvizError):
    """Notes about train jobs cannot be read or written; the message gives the reason."""


class AnnotationsBusy(AnnotationsUnavailable):
    """Another program is writing notes and has locked their database."""

    retry_after = 1


class DatabaseUnavailable(MindvizError):
    """The database of the experiments does not respond; the message gives the reason."""


class RefusedByDatabase(DatabaseUnavailable):
    """The database refuses the request, permanently; the message gives the reason."""


class ClusterUnavailable(MindvizError):
    """The Dask cluster of an import does not respond; the message gives the reason."""


class ServerUnavailable(MindvizError):
    """The mindviz server does not respond, or another program does; see the message."""


class TokenRequired(ServerUnavailable):
    """The server requires a token, which is missing or wrong."""


class CannotOpen(MindvizError, OSError):
    """The location has no readable logs; the message gives the reason."""


class InvalidValue(MindvizError, ValueError):
    """A recorded value is invalid for its plugin; the message names tag and shape."""


class RecordingFailed(MindvizError, RuntimeError):
    """Recorded data could not be encoded or written; the message gives the reason."""


class DamagedValue(MindvizError):
    """A value's bytes fail their checksum or cannot be decoded."""


class BrokenDataClass(DamagedValue):
    """A value is intact, but of another data class than its series; the message names it."""


class StartError(MindvizError):
    """mindviz cannot start; the message says how to fix it."""
