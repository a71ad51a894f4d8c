"""ControlPlaneComponent: how the rollout of one component goes."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.kind import Column, Kind, Profile, Resource, condition_column, served
from hypershift.api.meta import Condition
from hypershift.api.shape import Anything, Field, Int64, Shape


class ControlPlaneComponentStatus(Shape):
    """How the rollout of a component goes."""

    conditions: Annotated[
        tuple[Condition, ...],
        Field(
            "Whether it is available and completely rolled out.",
            max_items=10,
            list_type="map",
            list_keys=("type",),
        ),
    ] = ()
    observed_generation: Annotated[
        Int64 | None,
        Field(
            "Generation of the control plane that was rolled out last.",
            minimum=1,
            maximum=9007199254740992,
        ),
    ] = None
    resources: Annotated[
        tuple[ComponentResource, ...],
        Field("Objects that belong to it, at most 100.", max_items=100),
    ] = ()
    version: Annotated[
        str | None,
        Field("Release version that is completely rolled out; others wait for it.", max_length=255),
    ] = None


class ComponentResource(Shape):
    """An object that belongs to a component."""

    group: Annotated[
        str, Field("API group of the object; empty for the core group.", max_length=255)
    ]
    kind: Annotated[str, Field("Kind of the object.", max_length=255)]
    name: Annotated[str, Field("Name of the object.", max_length=255)]


@served(
    Kind(
        group="hypershift.openshift.io",
        version="v1beta1",
        plural="controlplanecomponents",
        short_names=("cpc", "cpcs"),
        columns=(
            Column("Version", ".status.version", "Version"),
            condition_column("Available", "Available", "Available"),
            condition_column("RolloutComplete", "RolloutComplete", "RolloutComplete"),
            condition_column("Message", "Available", "Message", part="message"),
            condition_column(
                "RolloutCompleteMessage",
                "RolloutComplete",
                "RolloutCompleteMessage",
                part="message",
                priority=1,
            ),
        ),
        profiles=(Profile.HYPERSHIFT, Profile.SELF_MANAGED),
    )
)
class ControlPlaneComponent(Resource):
    """One component of a hosted control plane and how its rollout goes.

    Made and written by the control plane operator.
    """

    spec: Annotated[
        Anything | None,
        Field("Has no fields; what a component looks like is part of the operator."),
    ] = None
    status: Annotated[ControlPlaneComponentStatus, Field("How the rollout goes.")] = (
        ControlPlaneComponentStatus()
    )
