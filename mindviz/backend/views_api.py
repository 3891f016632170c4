"""Routes for saved views: views of the page that users gave a name."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import marshmallow as ma

from mindviz.backend.routes import Routes, json_body
from mindviz.backend.schemas import LenientQuery, NoQuery
from mindviz.backend.services import Services
from mindviz.lineagemgr.saved_view import MAX_NAME, MAX_QUERY

own = Routes()


class SavedViewBody(LenientQuery):
    """A view, or the fields of it that change."""

    name = ma.fields.String(
        validate=ma.validate.Length(max=MAX_NAME), metadata={"description": "Unique."}
    )
    page = ma.fields.String(metadata={"description": "Name of a page, such as scalar."})
    query = ma.fields.String(
        validate=ma.validate.Length(max=MAX_QUERY),
        metadata={"description": "The state in the page's URL, without the question mark."},
    )
    is_default = ma.fields.Boolean(
        metadata={"description": "Whether the page starts with this view, instead of another."}
    )


@own.get("/views", NoQuery)
def list_views(services: Services, _query: dict[str, Any]) -> dict[str, Any]:
    """The saved views, by name."""
    return {"views": [asdict(view) for view in services.annotations.views()]}


@own.put("/views/<view_id>", NoQuery, body=SavedViewBody)
def save_view(services: Services, _query: dict[str, Any], *, view_id: str) -> dict[str, str]:
    """Save a view, or change it; fields that the body omits stay unchanged."""
    services.annotations.update_view(view_id, json_body())
    return {"status": "success"}


@own.delete("/views/<view_id>", NoQuery)
def delete_view(services: Services, _query: dict[str, Any], *, view_id: str) -> dict[str, str]:
    """Delete a saved view."""
    services.annotations.delete_view(view_id)
    return {"status": "success"}
