"""Pools of virtual servers on IBM Power."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.platforms.powervs import PowerVSResource
from hypershift.api.shape import Field, Int32, IntOrString, Shape


class PowerVSNodePool(Shape):
    """Virtual servers on IBM Power. A change rolls the nodes."""

    image: Annotated[
        PowerVSResource | None, Field("Image to boot. Default: the release's, imported for you.")
    ] = None
    image_delete_policy: Annotated[
        str,
        Field(
            (
                "What happens to the imported image with the pool: `delete` or `retain`. Default"
                " delete."
            ),
            enum=("delete", "retain"),
        ),
    ] = "delete"
    memory_gib: Annotated[Int32, Field("Memory in GiB. Default 32.")] = 32
    processor_type: Annotated[
        str,
        Field(
            "`dedicated`, `shared` or `capped` processors. Default shared.",
            enum=("dedicated", "shared", "capped"),
        ),
    ] = "shared"
    processors: Annotated[
        IntOrString,
        Field("Number of processors; fractions for shared and capped ones. Default 0.5."),
    ] = "0.5"
    storage_type: Annotated[
        str,
        Field(
            "Storage tier: `tier1` is faster than `tier3`. Default tier1.", enum=("tier1", "tier3")
        ),
    ] = "tier1"
    system_type: Annotated[
        str, Field("Type of the host, for example s922 or e980. Default s922.", max_length=255)
    ] = "s922"
