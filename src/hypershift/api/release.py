"""Releases: what to run, where to pull it from, and what was run so far."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.shape import Field, Int64, Rule, Shape, Time, Value, members
from hypershift.api.updates import ConditionalUpdate, ReleaseInfo
from hypershift.api.values import UpdateState


class Release(Shape):
    """A release of the product, named by its image."""

    image: Annotated[
        str,
        Field(
            (
                "Pull specification of the release image, best by digest. It lists the images of"
                " all components."
            ),
            min_length=1,
            max_length=253,
            rules=(
                Rule(
                    r"self.matches('^(\\w+\\S+)$')",
                    (
                        "Image must start with a word character (letters, digits, or"
                        " underscores) and contain no white spaces"
                    ),
                ),
            ),
        ),
    ]


class ImageContentSource(Shape):
    """One repository and where its images can be pulled instead."""

    source: Annotated[str, Field("Repository that image references name.", max_length=255)]
    mirrors: Annotated[
        tuple[str, ...],
        Field(
            "Repositories to try, in this order, before the source itself.",
            items=Value(max_length=255),
            max_items=255,
            list_type="set",
        ),
    ] = ()


class ControlPlaneVersionStatus(Shape):
    """Releases of the components that run on the management cluster."""

    desired: Annotated[ReleaseInfo, Field("Release that the control plane is to run.")]
    history: Annotated[
        tuple[ControlPlaneUpdate, ...],
        Field(
            "Releases that were rolled out, newest first, at most 100.",
            min_items=1,
            max_items=100,
            list_type="atomic",
        ),
    ] = ()
    observed_generation: Annotated[
        Int64 | None,
        Field(
            "Generation of the control plane object that this status belongs to.",
            minimum=1,
            maximum=9007199254740992,
        ),
    ] = None


class ControlPlaneUpdate(Shape):
    """One rollout of the control plane."""

    image: Annotated[str, Field("Release image that was rolled out.", min_length=1, max_length=447)]
    started_time: Annotated[Time, Field("When the rollout began.")]
    state: Annotated[
        str,
        Field(
            (
                "`Completed` when all components ran it, `Partial` until then or when another"
                " replaced it first."
            ),
            enum=members(UpdateState),
        ),
    ]
    version: Annotated[
        str,
        Field(
            "Semantic version of the release, beginning x.y.z.",
            min_length=1,
            max_length=64,
            rules=(
                Rule(
                    r"self.matches('^\\d+\\.\\d+\\.\\d+.*')",
                    "version must start with semantic version prefix x.y.z",
                ),
            ),
        ),
    ]
    completion_time: Annotated[
        Time | None, Field("When all components ran this release. Unset while they do not.")
    ] = None


class VersionStatus(Shape):
    """Releases of the cluster as a whole."""

    available_updates: Annotated[
        tuple[ReleaseInfo, ...] | None,
        Field(
            (
                "Releases recommended for this cluster; null when the update service was not"
                " asked or did not answer."
            ),
            max_items=100,
            nullable=True,
        ),
    ]
    desired: Annotated[ReleaseInfo, Field("Release that the cluster is to run.")]
    observed_generation: Annotated[
        Int64, Field("Generation of the HostedCluster that this status belongs to.")
    ]
    conditional_updates: Annotated[
        tuple[ConditionalUpdate, ...],
        Field(
            "Releases that are recommended only where certain risks do not apply.",
            max_items=100,
            list_type="atomic",
        ),
    ] = ()
    history: Annotated[
        tuple[UpdateHistory, ...],
        Field(
            "Releases that were rolled out, newest first; the oldest entries are dropped in time."
        ),
    ] = ()


class UpdateHistory(Shape):
    """One rollout of the whole cluster."""

    completion_time: Annotated[
        Time | None,
        Field("When the release was rolled out completely; null while it is not.", nullable=True),
    ]
    image: Annotated[str, Field("Release image that was rolled out.")]
    started_time: Annotated[Time, Field("When the rollout began.")]
    state: Annotated[
        str,
        Field(
            "`Completed` when fully applied, `Partial` until then or when another replaced it"
            " first."
        ),
    ]
    verified: Annotated[
        bool, Field("Whether the release's signature was checked before it was applied.")
    ]
    accepted_risks: Annotated[
        str | None, Field("Warnings that were overridden to start this update; empty if none.")
    ] = None
    version: Annotated[
        str | None, Field("Semantic version of the release; empty if it could not be read.")
    ] = None
