"""How pods are assigned to nodes."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.meta import NameReference
from hypershift.api.shape import Field, Go, Refers, Shape, members
from hypershift.api.values import SchedulerProfile


class Scheduler(Shape):
    """How pods are assigned to nodes. A change restarts the scheduler."""

    policy: Annotated[
        NameReference | None,
        Field(
            "ConfigMap with a scheduler policy; no longer honoured by the scheduler.",
            refers=Refers.CONFIG_MAP,
        ),
    ] = None
    profile: Annotated[
        str | None,
        Field(
            (
                "`LowNodeUtilization` spreads pods, `HighNodeUtilization` packs them, `NoScoring`"
                " takes the first node that fits. Default LowNodeUtilization."
            ),
            enum=("", *members(SchedulerProfile)),
        ),
    ] = None
    profile_customizations: Annotated[
        ProfileCustomizations | None, Field("Adjustments of the profile.")
    ] = None
    default_node_selector: Annotated[
        str | None,
        Field(
            "Labels, `key=value,...`, that nodes must have for pods of namespaces that do not"
            " say otherwise."
        ),
    ] = None
    masters_schedulable: Annotated[
        bool | None,
        Field(
            "Whether ordinary pods may run on control plane nodes. Hosted clusters have none.",
            go=Go.ALWAYS,
        ),
    ] = None


class ProfileCustomizations(Shape):
    """Adjustments of a scheduler profile."""

    dynamic_resource_allocation: Annotated[
        str | None,
        Field(
            "Whether the scheduler handles resource claims. Empty lets the release decide.",
            enum=("", "Enabled", "Disabled"),
            go=Go.ALWAYS,
        ),
    ] = None
