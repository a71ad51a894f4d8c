"""NodePool: a set of alike nodes of one hosted cluster."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.kind import Column, Kind, Profile, Resource, Scale, condition_column, served
from hypershift.api.node_pool.spec import NodePoolSpec
from hypershift.api.node_pool.status import NodePoolStatus
from hypershift.api.shape import Field


@served(
    Kind(
        group="hypershift.openshift.io",
        version="v1beta1",
        plural="nodepools",
        short_names=("np", "nps"),
        scale=Scale(".spec.replicas", ".status.replicas"),
        columns=(
            Column("Cluster", ".spec.clusterName", "HostedCluster that the nodes join"),
            Column("Desired Nodes", ".spec.replicas", "Number of nodes asked for", type="integer"),
            Column(
                "Current Nodes", ".status.replicas", "Number of nodes there are", type="integer"
            ),
            condition_column(
                "Autoscaling", "AutoscalingEnabled", "Whether the autoscaler sets the number"
            ),
            condition_column(
                "Autorepair", "AutorepairEnabled", "Whether unhealthy nodes are replaced"
            ),
            Column("Version", ".status.version", "Release the nodes run"),
            condition_column(
                "UpdatingVersion", "UpdatingVersion", "Whether a new release is rolling out"
            ),
            condition_column(
                "UpdatingConfig", "UpdatingConfig", "Whether a new configuration is rolling out"
            ),
            condition_column("Message", "Ready", "Why the pool is ready, or not", part="message"),
        ),
        gated=True,
        profiles=(Profile.HYPERSHIFT, Profile.SELF_MANAGED),
    )
)
class NodePool(Resource):
    """A set of alike nodes of one hosted cluster: same machine type, release and configuration.

    Scaling, upgrades and repairs happen pool by pool.
    """

    spec: Annotated[NodePoolSpec, Field("What the pool should be.", optional=True)]
    status: Annotated[NodePoolStatus, Field("What the pool is. Written by the operator alone.")] = (
        NodePoolStatus()
    )
