"""Clusters on IBM Cloud."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.shape import Field, Shape


class IBMCloudPlatform(Shape):
    """IBM Cloud."""

    provider_type: Annotated[
        str | None, Field("Generation and kind of the infrastructure, for example `VPC`.")
    ] = None
