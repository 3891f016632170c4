"""Query schemas: strict for our own routes, lenient for the contract's.

Errors become `BadArgument`, which distinguishes type, value and missing like the contract.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NoReturn

import marshmallow as ma
from flask import Request
from webargs.flaskparser import FlaskParser

from mindviz.backend.errors import BadArgument, Reason
from mindviz.backend.json_text import decode_json
from mindviz.datavisual.series.scalar_axis import ScalarAxis
from mindviz.datavisual.series.selection import Downsample, Selection, StepRange

REQUIRED = "is required"
NOT_A_STRING = "must be a string"
NOT_AN_INTEGER = "must be an integer"
NOT_A_NUMBER = "must be a finite number"
NOT_A_LIST = "must be a list"
_TYPE_COMPLAINTS = (NOT_A_STRING, NOT_AN_INTEGER, NOT_A_NUMBER, NOT_A_LIST)
_ALL = "all"
_DEFAULT_MAX_POINTS = 1000
_UNLIMITED = 2**63 - 1
"""What `all` loads to."""
Complaints = dict[str, str | list[Any] | dict[Any, Any]]
"""marshmallow's type of error messages."""


class QueryParser(FlaskParser):
    """Raises `BadArgument` for marshmallow's first complaint."""

    # Otherwise webargs ignores unknown query arguments, whatever the schema says.
    DEFAULT_UNKNOWN_BY_LOCATION: dict[str, str | None] = {}  # noqa: RUF012 -- webargs' interface

    def handle_error(
        self,
        error: ma.ValidationError,
        req: Request,  # noqa: ARG002 -- webargs' interface
        schema: ma.Schema,  # noqa: ARG002
        **_: Any,
    ) -> NoReturn:
        """Raise BadArgument for the first complaint, by location and name."""
        name, complaint = _first_complaint(error.messages)
        if complaint == REQUIRED:
            raise BadArgument(Reason.MISSING, f"Param missing. '{name}' is required.")
        if complaint in _TYPE_COMPLAINTS:
            raise BadArgument(Reason.TYPE, f"Invalid parameter type. '{name}' {complaint}.")
        raise BadArgument(Reason.VALUE, f"Invalid parameter value. '{name}' {complaint}.")

    def _raw_load_json(self, req: Request) -> Any:
        """Accepts JSON bodies of any content type."""
        data = req.get_data(cache=True)
        if not data:
            return ma.missing
        try:
            return decode_json(data)
        except ValueError as error:
            self._handle_invalid_json_error(error)

    def _handle_invalid_json_error(self, error: Exception, *_: Any, **__: Any) -> NoReturn:
        raise BadArgument(Reason.VALUE, "The request body is not valid JSON.") from error


def _first_complaint(messages: Any) -> tuple[str, str]:
    """Name and text of the first complaint in marshmallow's nested messages."""
    name = "request"
    while not isinstance(messages, str):
        if isinstance(messages, dict):
            key, messages = next(iter(messages.items()))
            # The outer levels are the location and, for lists, the position.
            if isinstance(key, str) and key not in ("query", "json", "_schema"):
                name = key
        else:
            messages = messages[0]
    return name, messages.rstrip(".")


class _Described:
    """A mixin of fields: `about` is the description, and required fields have our messages."""

    def __init__(self, *, about: str = "", **options: Any) -> None:
        if about:
            options["metadata"] = {"description": about} | options.get("metadata", {})
        if options.get("required"):
            options["error_messages"] = {"required": REQUIRED, "null": REQUIRED}
        super().__init__(**options)


class IntegerField(_Described, ma.fields.Integer):
    """Anything that Python's int() accepts, as in the contract; within int64."""

    def __init__(
        self, *, minimum: int = -(2**63), maximum: int = 2**63 - 1, **options: Any
    ) -> None:
        super().__init__(**options)
        self.minimum = minimum
        self.maximum = maximum
        bounds = {"minimum": minimum, "maximum": maximum}
        stated = {name: bound for name, bound in bounds.items() if abs(bound) < 2**62}
        self.metadata = {**stated, **self.metadata}

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> int:
        try:
            # int() also raises ValueError for more than 4,300 digits.
            number = int(value)
        except (TypeError, ValueError, OverflowError):  # OverflowError: infinities
            raise ma.ValidationError(NOT_AN_INTEGER) from None
        if not self.minimum <= number <= self.maximum:
            raise ma.ValidationError(f"must be between {self.minimum} and {self.maximum}")
        return number


class StepField(IntegerField):
    """A step. An empty string counts as missing."""

    def _deserialize(self, value: Any, *others: Any, **options: Any) -> Any:
        if value != "":
            return super()._deserialize(value, *others, **options)
        if self.required:
            raise ma.ValidationError(REQUIRED)
        return None


class NumberField(_Described, ma.fields.Float):
    """A finite float."""

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> float:
        try:
            number = float(value)
        except (TypeError, ValueError):
            raise ma.ValidationError(NOT_A_NUMBER) from None
        if not abs(number) < float("inf"):
            raise ma.ValidationError(NOT_A_NUMBER)
        return number


class PointCountField(IntegerField):
    """A number of points, or `all`, which is None."""

    def _deserialize(self, value: Any, *others: Any, **options: Any) -> int:
        if value == _ALL:
            return _UNLIMITED
        return super()._deserialize(value, *others, **options)


def text(
    *,
    required: bool = False,
    empty: bool = False,
    choices: tuple[str, ...] = (),
    default: str | None = None,
    about: str = "",
    null: str = REQUIRED,
) -> ma.fields.String:
    """A string argument. Unless `empty`, an empty string counts as missing, as in the contract.

    `null` is the error message for null.
    """
    messages: Complaints = {"required": REQUIRED, "null": null, "invalid": NOT_A_STRING}
    validators: list[Any] = []
    if choices:
        validators.append(ma.validate.OneOf(choices, error=f"must be one of {', '.join(choices)}"))
    elif not empty:
        validators.append(ma.validate.Length(min=1, error=REQUIRED))
    options: dict[str, Any] = {} if required else {"load_default": default}
    return ma.fields.String(
        required=required,
        validate=validators,
        error_messages=messages,
        metadata={"description": about} if about else {},
        **options,
    )


def texts(
    *, required: bool = False, empty: bool = False, about: str = "", null: str = REQUIRED
) -> ma.fields.List[str]:
    """A repeatable string argument; default: an empty list.

    `empty` allows empty strings; `null` is the error message for null.
    """
    messages: Complaints = {"required": REQUIRED, "null": REQUIRED, "invalid": NOT_A_LIST}
    options: dict[str, Any] = {} if required else {"load_default": list}
    return ma.fields.List(
        text(required=True, empty=empty, null=null),
        required=required,
        error_messages=messages,
        metadata={"description": about} if about else {},
        **options,
    )


class LenientQuery(ma.Schema):
    """Base of the contract's queries, which ignore unknown arguments."""

    class Meta:
        """Marshmallow's options."""

        unknown = ma.EXCLUDE


class StrictQuery(ma.Schema):
    """Base of our own queries, which reject unknown arguments."""

    error_messages = {"unknown": "is unknown"}  # noqa: RUF012 -- marshmallow's interface

    class Meta:
        """Marshmallow's options."""

        unknown = ma.RAISE


class NoQuery(StrictQuery):
    """No arguments."""


class NoArguments(LenientQuery):
    """No arguments; unknown ones are ignored."""


class JobQuery(LenientQuery):
    """One train job."""

    train_id = text(required=True)


class TagQuery(JobQuery):
    """One series of a plugin."""

    tag = text(required=True, about="With the plugin's suffix, e.g. loss/scalar.")


class SeriesQuery(StrictQuery):
    """One series."""

    train_id = text(required=True)
    tag = text(required=True, empty=True, about="As logged, without a suffix.")


class StepQuery(SeriesQuery):
    """One step of a series."""

    step = IntegerField(required=True)


class PointFields:
    """A mixin for queries: which points of scalar series."""

    max_points = PointCountField(
        minimum=1,
        load_default=_DEFAULT_MAX_POINTS,
        about="Maximum number of points per series, or `all`.",
        metadata={"type": ["integer", "string"]},
    )
    start_step = IntegerField(load_default=None, about="First step.")
    end_step = IntegerField(load_default=None, about="Last step.")
    start_time = NumberField(load_default=None, about="Unix seconds.")
    end_time = NumberField(load_default=None, about="Unix seconds, inclusive.")
    smoothing = text(
        about="ema:WEIGHT, twema:WEIGHT, mean:POINTS or gaussian:DEVIATION, over all points."
    )
    x_tag = text(about="Tag of the scalar to use as x axis, in the same form as other tags.")
    start_x = NumberField(load_default=None, about="Minimum of x_tag.")
    end_x = NumberField(load_default=None, about="Maximum of x_tag.")


class _SelectionArguments(PointFields, LenientQuery):
    """Our extensions of the contract's queries of scalars."""

    restarts = text(
        choices=("latest", "all"), default="latest", about="`all`: also discarded points."
    )
    writer = text(about="One of the series' writers; default the first.")
    since = text(about="The cursor of an earlier response, for an increment.")
    format = text(choices=("rows", "columns", "arrow"), about="Default rows.")

    @ma.post_load
    def _freeze(self, data: dict[str, Any], **_: Any) -> ScalarsArguments:
        train_ids, tags = data["train_id"], data["tag"]
        return ScalarsArguments(
            (train_ids,) if isinstance(train_ids, str) else tuple(train_ids),
            (tags,) if isinstance(tags, str) else tuple(tags),
            replace(point_selection(data), restarts=data["restarts"], writer=data["writer"]),
            data["since"],
            data["format"],
            data["smoothing"],
            scalar_axis(data),
        )


class ScalarsQuery(_SelectionArguments):
    """Scalars of train jobs x tags."""

    train_id = texts(empty=True)
    tag = texts(empty=True, about="With the plugin's suffix, e.g. loss/scalar.")


class ScalarMetadataQuery(_SelectionArguments):
    """Scalars of one series."""

    train_id = text(required=True)
    tag = text(required=True, about="With the plugin's suffix, e.g. loss/scalar.")


@dataclass(frozen=True, slots=True)
class ScalarsArguments:
    """A loaded ScalarsQuery."""

    train_ids: tuple[str, ...]
    tags: tuple[str, ...]
    selection: Selection
    """Without smoothing and axis, which the contract ignores."""
    since: str | None
    format: str | None
    smoothing: str | None
    axis: ScalarAxis | None = None
    """Its tag has the plugin's suffix."""


def point_selection(data: dict[str, Any]) -> Selection:
    """The range and the sample of loaded PointFields."""
    max_points = data["max_points"]
    return Selection(
        steps=StepRange(data["start_step"], data["end_step"]),
        start_time=data["start_time"],
        end_time=data["end_time"],
        downsample=None if max_points == _UNLIMITED else Downsample(max_points, "minmax"),
    )


def scalar_axis(data: dict[str, Any]) -> ScalarAxis | None:
    """The x axis of loaded PointFields; None for steps."""
    if data["x_tag"] is None:
        return None
    return ScalarAxis(data["x_tag"], data["start_x"], data["end_x"])
