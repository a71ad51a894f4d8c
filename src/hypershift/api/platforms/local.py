"""Clusters of machines on the host of the management cluster."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.shape import Field, Shape, Value


class LocalPlatform(Shape):
    """Machines on the host of the management cluster."""

    zones: Annotated[
        tuple[str, ...],
        Field(
            (
                "Names of the zones that machines are spread over, at most 16. Unset means the"
                " zones of the management cluster's own machines. NodePools may choose one."
            ),
            items=Value(pattern="^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", min_length=1, max_length=63),
            max_items=16,
            list_type="set",
        ),
    ] = ()
