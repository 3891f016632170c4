"""Schemas of requests for lineages."""

from __future__ import annotations

import marshmallow as ma

from mindviz.backend.run_pages import RunsQuery
from mindviz.backend.schemas import LenientQuery, StrictQuery, text, texts
from mindviz.lineagemgr.annotation import MAX_GROUP, MAX_REMARK, MAX_TAG

_COLUMNS = "scalar/<tag>/last|min|max|min_step|max_step|at_min:<tag>|at_max:<tag>"


class LineageJobQuery(LenientQuery):
    """One train job."""

    train_id = text(required=True, empty=True)


class _OpenBody(LenientQuery):
    """Base of bodies that their view parses; the schema describes the main fields."""

    class Meta:
        """Marshmallow's options."""

        unknown = ma.INCLUDE


class LineageSearchBody(_OpenBody):
    """Conditions by field name, as in docs/lineage.md, and these fields."""

    sorted_name = ma.fields.String(metadata={"description": "A field."})
    sorted_type = ma.fields.String(
        allow_none=True, validate=ma.validate.OneOf(("ascending", "descending"))
    )
    limit = ma.fields.Integer(metadata={"description": "Jobs per page."})
    offset = ma.fields.Integer(metadata={"description": "Number of the page."})
    lineage_type = ma.fields.Dict(metadata={"description": "Which parts: eq model or dataset."})
    columns = ma.fields.List(ma.fields.String(), metadata={"description": _COLUMNS})


class ImportanceSearchBody(LineageSearchBody):
    """Train jobs, as in a search of lineages."""

    forest = ma.fields.Boolean(
        metadata={"description": "Whether to train random forests; default true."}
    )
    parameters = ma.fields.List(
        ma.fields.String(), metadata={"description": "Fields to rank; default all."}
    )
    targets = ma.fields.List(
        ma.fields.String(),
        metadata={"description": "Results: fields; default loss and all metrics."},
    )


class AnnotationBody(_OpenBody):
    """Notes about a train job; null resets a field."""

    tag = ma.fields.Integer(validate=ma.validate.Range(0, MAX_TAG))
    remark = ma.fields.String(validate=ma.validate.Length(max=MAX_REMARK))
    notes = ma.fields.String(allow_none=True)
    hidden = ma.fields.Boolean(allow_none=True)
    pinned = ma.fields.Boolean(allow_none=True)
    colour = ma.fields.String(allow_none=True, metadata={"description": "#rrggbb"})
    group = ma.fields.String(allow_none=True, validate=ma.validate.Length(max=MAX_GROUP))


class LineageColumnsQuery(RunsQuery):
    """Optional columns of all runs, or of one page."""

    column = texts(about=f"{_COLUMNS}; repeatable.")


class LineageDiffBody(StrictQuery):
    """Train jobs to compare."""

    train_ids = texts(required=True)
