"""HostedCluster: a cluster whose control plane runs as pods on the management cluster."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.hosted_cluster.spec import HostedClusterSpec
from hypershift.api.hosted_cluster.status import HostedClusterStatus
from hypershift.api.kind import Column, Kind, Profile, Resource, condition_column, served
from hypershift.api.shape import Field, Rule, constrained


@served(
    Kind(
        group="hypershift.openshift.io",
        version="v1beta1",
        plural="hostedclusters",
        short_names=("hc", "hcs"),
        columns=(
            Column(
                "Version",
                '.status.version.history[?(@.state=="Completed")].version',
                "Last release that was rolled out completely",
            ),
            Column(
                "CP Version",
                '.status.controlPlaneVersion.history[?(@.state=="Completed")].version',
                "Last release the control plane completed",
            ),
            Column("KubeConfig", ".status.kubeconfig.name", "Secret with the admin kubeconfig"),
            Column(
                "Progress",
                '.status.version.history[?(@.state!="")].state',
                "State of the rollouts, newest first",
            ),
            condition_column("Available", "Available", "Whether the control plane serves"),
            condition_column("Progressing", "Progressing", "Whether a rollout is under way"),
            condition_column("Message", "Available", "Why it is available, or not", part="message"),
            Column(
                "CP Progress",
                ".status.controlPlaneVersion.history[0].state",
                "State of the newest control plane rollout",
                priority=1,
            ),
            Column(
                "DP Progress",
                ".status.version.history[0].state",
                "State of the newest rollout as a whole",
                priority=1,
            ),
        ),
        gated=True,
        profiles=(Profile.HYPERSHIFT,),
    )
)
@constrained(
    Rule(
        (
            "!has(oldSelf.spec) || !has(oldSelf.spec.infraID) || (has(self.spec) &&"
            " has(self.spec.infraID))"
        ),
        "infraID cannot be removed once set",
    ),
    Rule(
        (
            "!has(oldSelf.spec) || !has(oldSelf.spec.clusterID) || (has(self.spec)"
            " && has(self.spec.clusterID))"
        ),
        "clusterID cannot be removed once set",
    ),
)
class HostedCluster(Resource):
    """A cluster whose control plane runs as pods on this management cluster.

    Creating one makes the control plane; NodePools that name it add workers; deleting it
    removes everything that was made for it.
    """

    spec: Annotated[
        HostedClusterSpec,
        Field(
            (
                "What the cluster should be: release, platform, networks, exposure, security."
                " Most networking, identity and platform fields are fixed at creation."
            ),
            optional=True,
        ),
    ]
    status: Annotated[
        HostedClusterStatus,
        Field(
            "What the cluster is: versions, endpoints, credentials and conditions. Written by"
            " the operator alone."
        ),
    ] = HostedClusterStatus()
