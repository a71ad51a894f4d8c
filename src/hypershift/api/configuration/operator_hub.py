"""Which of the default operator catalogs are offered."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.shape import Field, Go, Shape


class OperatorHub(Shape):
    """The default operator catalogs."""

    disable_all_default_sources: Annotated[
        bool | None,
        Field(
            "Whether all default catalogs are left out, but those that `sources` brings back."
            " Default false."
        ),
    ] = None
    sources: Annotated[tuple[HubSource, ...], Field("Default catalogs to switch one by one.")] = ()


class HubSource(Shape):
    """One default catalog."""

    name: Annotated[
        str | None,
        Field(
            "Name of the catalog, for example `community-operators`.",
            min_length=1,
            max_length=253,
            go=Go.ALWAYS,
        ),
    ] = None
    disabled: Annotated[bool | None, Field("Whether it is left out.", go=Go.ALWAYS)] = None
