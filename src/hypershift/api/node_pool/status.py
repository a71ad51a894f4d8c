"""What the operator reports about a pool."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.node_pool.platform import NodePoolPlatformStatus
from hypershift.api.shape import Field, Int32, Int64, Rule, Shape, Time


class NodePoolStatus(Shape):
    """What the operator reports about a set of nodes."""

    conditions: Annotated[
        tuple[NodePoolCondition, ...],
        Field("The pool's health and progress, one entry per type.", max_items=100),
    ] = ()
    nodes_info: Annotated[NodesInfo | None, Field("Versions that the nodes run.")] = None
    os_image_stream: Annotated[
        OSImageStreamStatus | None,
        Field("Operating system stream that the nodes run.", gate="OSStreams"),
    ] = None
    platform: Annotated[
        NodePoolPlatformStatus | None, Field("What was made on the platform for this pool.")
    ] = None
    replicas: Annotated[Int32 | None, Field("Number of nodes there are.")] = None
    version: Annotated[
        str | None,
        Field("Release version that all nodes run, once a rollout is complete.", max_length=64),
    ] = None


class NodePoolCondition(Shape):
    """One observed fact about a pool."""

    last_transition_time: Annotated[Time, Field("When `status` last changed, RFC 3339.")]
    status: Annotated[str, Field("`True`, `False` or `Unknown`.")]
    type: Annotated[str, Field("What is stated, in CamelCase.", max_length=316)]
    message: Annotated[str | None, Field("Sentence for people.", max_length=32768)] = None
    observed_generation: Annotated[
        Int64 | None, Field("Generation of the pool that this was observed on.", minimum=0)
    ] = None
    reason: Annotated[
        str | None,
        Field(
            (
                "Why the status is what it is; several reasons are joined by commas, up to 1024"
                " characters."
            ),
            max_length=1024,
        ),
    ] = None
    severity: Annotated[
        str | None,
        Field(
            (
                "How bad a False status is: `Error`, `Warning` or `Info`. Empty when the status"
                " is True."
            ),
            max_length=1024,
        ),
    ] = None


class NodesInfo(Shape):
    """Versions that the nodes of a pool run."""

    node_versions: Annotated[
        tuple[NodeVersion, ...],
        Field(
            "One entry per pair of versions, at most 100.",
            min_items=1,
            max_items=100,
            list_type="atomic",
        ),
    ]


class NodeVersion(Shape):
    """How many nodes run the same versions."""

    kubelet_version: Annotated[
        str,
        Field(
            "Version of the kubelet, beginning x.y.z with an optional v in front.",
            min_length=1,
            max_length=64,
            rules=(
                Rule(
                    r"self.matches('^v?\\d+\\.\\d+\\.\\d+.*$')",
                    (
                        "kubeletVersion must start with semantic version prefix x.y.z (optional"
                        " leading 'v')"
                    ),
                ),
            ),
        ),
    ]
    ocp_version: Annotated[
        str,
        Field(
            "Version of the release that the node was made from, beginning x.y.z.",
            min_length=1,
            max_length=64,
            rules=(
                Rule(
                    r"self.matches('^\\d+\\.\\d+\\.\\d+.*$')",
                    "ocpVersion must start with semantic version prefix x.y.z",
                ),
            ),
        ),
    ]
    ready_node_count: Annotated[Int32, Field("How many of these nodes are Ready.", minimum=0)]
    unready_node_count: Annotated[Int32, Field("How many of these nodes are not.", minimum=0)]


class OSImageStreamStatus(Shape):
    """The operating system stream that nodes run."""

    name: Annotated[str, Field("Name of the stream.", enum=("rhel-9", "rhel-10"))]
