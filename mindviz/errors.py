"""Everything that can go wrong, in the words of the domain.

    MindvizError
    |-- InvalidQuery              the question makes no sense (a bad number, an unknown option)
    |   |-- AnswerTooLarge        the question makes sense, but its answer would exceed a bound
    |   |   `-- TensorTooLarge    a tensor has more elements than are looked at
    |   |-- FormulaError          a formula of tags cannot be parsed
    |   |-- InvalidLineageQuery   a condition, an order or a page of lineages makes no sense
    |   |-- WriterNotFound        the series has no line of this writer
    |   |-- InvalidAnnotation     what somebody noted about a job cannot be kept so
    |   `-- ExtraNotInstalled     what was asked for needs a package that is not installed
    |-- NotFound                  what was asked for is not there
    |   |-- ExperimentNotFound
    |   |-- TrainJobNotFound
    |   |-- PluginNotFound
    |   |-- TagNotFound
    |   |-- GraphNodeNotFound
    |   |-- StepNotFound
    |   |-- BlobNotFound
    |   `-- NothingToExport       no series or job is what an export was asked for
    |-- ServerBusy                too much is asked at once; try again after `retry_after` seconds
    |   |-- DeadlineExceeded      an answer takes longer than a request may
    |   `-- MemoryBusy            answers in flight take all the memory they may
    |-- Cancelled                 the client disconnected, nobody waits for the answer
    |-- LogUnreadable             a log cannot be read at the moment; reading is retried
    |   `-- TagUnreadable         the log that may hold this tag cannot be read (also TagNotFound)
    |-- TooManyExports            as many exports as may be are running
    |-- AnnotationsUnavailable    what people noted about jobs cannot be read or written
    |   `-- AnnotationsBusy       another program is writing notes; try again
    |-- DatabaseUnavailable       the database that holds the experiments does not answer
    |   `-- RefusedByDatabase     it answers, but does not do what it is asked to
    |-- ServerUnavailable         the mindviz that is asked over HTTP does not answer
    |   `-- TokenRequired         it asks for a token, and none or a wrong one was given
    |-- CannotOpen                what a program wants to open holds no logs that can be read
    |-- InvalidValue              what somebody records is not what its plugin can hold
    |-- RecordingFailed           what was recorded could not be written
    |-- DamagedValue              the log holds this value, but its bytes fail their check
    |   `-- BrokenDataClass       the value is sound, but not what its series is made of
    `-- StartError                mindviz cannot start: a busy port, a bad path, a bad value

No class here knows HTTP: `mindviz.backend.errors` holds the one table that does.
Damage *inside* logs is not an exception but a `Finding`: the rest of the log is still served.
"""

from __future__ import annotations

import traceback
from collections.abc import Collection

from mindviz.nearest_names import did_you_mean


def release_frames(error: BaseException) -> None:
    """Free what the functions that an error went through hold in their variables.

    Where one of them holds the error as well, all of it would stay until the next collection.
    """
    chain: dict[int, BaseException] = {}
    pending: list[BaseException | None] = [error]
    while pending:
        one = pending.pop()
        if one is not None and id(one) not in chain:
            chain[id(one)] = one
            traceback.clear_frames(one.__traceback__)
            pending += [one.__cause__, one.__context__]


class MindvizError(Exception):
    """Base of all errors that mindviz raises on purpose; `str(error)` is a sentence for people."""


class InvalidQuery(MindvizError, ValueError):
    """The question makes no sense, whatever the data is."""


class FormulaError(InvalidQuery):
    """A formula that cannot be parsed."""

    def __init__(self, reason: str, *, character: int | None = None, hint: str = "") -> None:
        """`character`: position of the error, counted from 1; None if it has none."""
        place = "" if character is None else f" at character {character}"
        super().__init__(f"{reason}{place}{hint and f'; {hint}'}.")
        self.reason = reason
        self.character = character
        self.hint = hint


class AnswerTooLarge(InvalidQuery):
    """The answer would exceed a bound; the message names the bound."""


class TensorTooLarge(AnswerTooLarge):
    """A tensor has more elements than are looked at; the message names the bound."""


class InvalidLineageQuery(InvalidQuery):
    """A condition, an order or a page of lineages makes no sense."""


class WriterNotFound(InvalidQuery):
    """A series has no line of this writer."""

    def __init__(self, writer: str, *writers: str) -> None:
        names = ", ".join(map(repr, writers))
        super().__init__(f"There is no writer {writer!r}; this series was written by {names}.")


class InvalidAnnotation(InvalidQuery):
    """What somebody noted about a train job cannot be kept so."""


class ExtraNotInstalled(InvalidQuery):
    """What was asked for needs a package that comes with an extra of mindviz."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what} needs an extra: pip install 'mindviz[{extra}]'.")


class NotFound(MindvizError, LookupError):
    """What was asked for is not there; the message suggests the nearest of the known names."""

    def __init__(self, message: str, *, name: str = "", known: Collection[str] = ()) -> None:
        super().__init__(message)
        self._name = name
        self._known = known

    def __str__(self) -> str:
        # Only when shown: many of these are raised to be caught.
        return super().__str__() + did_you_mean(self._name, self._known)


class ExperimentNotFound(NotFound):
    """No experiment has this id."""

    def __init__(self, experiment_id: str, known: Collection[str] = ()) -> None:
        super().__init__(
            f"There is no experiment {experiment_id!r}.", name=experiment_id, known=known
        )
        self.experiment_id = experiment_id


class TrainJobNotFound(NotFound):
    """No train job has this id."""

    def __init__(self, train_id: str, known: Collection[str] = ()) -> None:
        super().__init__(f"There is no train job {train_id!r}.", name=train_id, known=known)
        self.train_id = train_id


class PluginNotFound(NotFound):
    """No plugin has this name."""

    def __init__(self, plugin_name: str, known: Collection[str] = ()) -> None:
        super().__init__(f"There is no plugin {plugin_name!r}.", name=plugin_name, known=known)
        self.plugin_name = plugin_name


class TagNotFound(NotFound):
    """The train job has no such series."""

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
    """A log cannot be read at the moment; the message says which one and why.

    Reading is retried: the same question may succeed later.
    """

    retry_after = 2
    """Seconds."""


class TagUnreadable(LogUnreadable, TagNotFound):
    """The train job has no such series as far as it could be read."""

    def __init__(self, train_id: str, plugin_name: str, tag: str, reason: str) -> None:
        TagNotFound.__init__(self, train_id, plugin_name, tag)
        self.reason = reason

    def __str__(self) -> str:
        """The reason comes first: that the tag is unknown follows from it."""
        return f"{self.reason} Tag {self.tag!r} is not known so far."


class GraphNodeNotFound(NotFound):
    """The graph has no such node."""

    def __init__(self, name: str, known: Collection[str] = ()) -> None:
        super().__init__(f"The graph has no node {name!r}.", name=name, known=known)
        self.name = name


class StepNotFound(NotFound):
    """The series has no value at this step, or not so many that one has this index."""

    def __init__(self, tag: str, step: int, *, index: int | None = None) -> None:
        what = "no value" if index is None else f"no value of index {index}"
        super().__init__(f"Tag {tag!r} has {what} at step {step}.")
        self.tag = tag
        self.step = step


class BlobNotFound(NotFound):
    """No blob has this key: the key is damaged, or what it stood for is gone."""

    def __init__(self) -> None:
        super().__init__("There is no blob with this key.")


class NothingToExport(NotFound):
    """No series or job is what an export was asked for; the message says what there is."""


class ServerBusy(MindvizError):
    """Too much is asked at once; the message says of what."""

    retry_after = 5
    """Seconds after which a client should try again."""


class DeadlineExceeded(ServerBusy):
    """An answer takes longer than a request may."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"The answer takes longer than {seconds:g} s. Ask for less, or later.")


class MemoryBusy(ServerBusy):
    """Answers in flight take all the memory they may."""

    retry_after = 2

    def __init__(self, max_bytes: int) -> None:
        super().__init__(
            f"Answers that are being made or sent take all of the {max_bytes >> 20} MiB they may. "
            "Try again later, ask for less, or start mindviz with a larger --max-memory."
        )


class Cancelled(MindvizError):
    """The client disconnected; nobody waits for the answer."""

    def __init__(self) -> None:
        super().__init__("The client disconnected before it was answered.")


class TooManyExports(MindvizError):
    """As many exports as may be are running; the message says how many."""


class AnnotationsUnavailable(MindvizError):
    """What people noted about train jobs cannot be read or written; the message says why."""


class AnnotationsBusy(AnnotationsUnavailable):
    """Another program is writing notes and keeps their database locked."""

    retry_after = 1
    """Seconds after which a client should try again."""


class DatabaseUnavailable(MindvizError):
    """The database that holds the experiments does not answer; the message says why."""


class RefusedByDatabase(DatabaseUnavailable):
    """The database answers, but will never do what it is asked to; the message says why."""


class ServerUnavailable(MindvizError):
    """The mindviz that is asked over HTTP does not answer, or not as one; the message says why."""


class TokenRequired(ServerUnavailable):
    """The server asks for a token, and none or a wrong one was given."""


class CannotOpen(MindvizError, OSError):
    """What a program wants to open holds no logs that can be read; the message says why."""


class InvalidValue(MindvizError, ValueError):
    """What somebody records is not what its plugin can hold; the message names tag and shape."""


class RecordingFailed(MindvizError, RuntimeError):
    """What was recorded could not be encoded or written; the message says why."""


class DamagedValue(MindvizError):
    """A value's bytes fail their checksum or cannot be decoded."""


class BrokenDataClass(DamagedValue):
    """A value is sound, but not what its series is made of; the message says what it is."""


class StartError(MindvizError):
    """mindviz cannot start; the message says what to change."""
