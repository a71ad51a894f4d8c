"""What a user asks of a set of nodes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from hypershift.api.meta import LocalObjectReference
from hypershift.api.node_pool.management import AutoScaling, Management
from hypershift.api.node_pool.platform import NodePoolPlatform
from hypershift.api.release import Release
from hypershift.api.rules import PAUSED_UNTIL
from hypershift.api.shape import Field, Int32, Rule, Shape, constrained, immutable, members
from hypershift.api.values import Architecture


@constrained(
    Rule(
        "!has(oldSelf.osImageStream) || has(self.osImageStream)",
        "osImageStream cannot be removed once set; create a new NodePool instead",
        gate="OSStreams",
    ),
    Rule("!has(oldSelf.arch) || has(self.arch)", "Arch is required once set"),
    Rule(
        (
            "self.arch != 'arm64' || has(self.platform.aws) ||"
            " has(self.platform.azure) || has(self.platform.agent) ||"
            " self.platform.type == 'GCP' || self.platform.type == 'None'"
        ),
        "Setting Arch to arm64 is only supported for AWS, Azure, Agent, GCP and None",
        gate="-LocalPlatform",
    ),
    Rule(
        (
            "self.arch != 'arm64' || has(self.platform.aws) ||"
            " has(self.platform.azure) || has(self.platform.agent) ||"
            " self.platform.type == 'GCP' || self.platform.type == 'None' ||"
            " self.platform.type == 'Local'"
        ),
        "Setting Arch to arm64 is only supported for AWS, Azure, Agent, GCP, Local and None",
        gate="LocalPlatform",
    ),
    Rule(
        "!has(self.replicas) || !has(self.autoScaling)",
        "Both replicas or autoScaling should not be set",
    ),
    Rule(
        "self.arch != 's390x' || has(self.platform.kubevirt)",
        "s390x is only supported on KubeVirt platform",
    ),
    Rule(
        (
            "!has(self.platform.aws) || !has(self.platform.aws.imageType) ||"
            " self.platform.aws.imageType != 'Windows' || self.arch == 'amd64'"
        ),
        "ImageType 'Windows' requires arch 'amd64' (AWS only)",
    ),
    Rule(
        (
            "!has(self.autoScaling) || self.autoScaling.min > 0 ||"
            " self.platform.type == 'AWS' || self.platform.type == 'Azure'"
        ),
        (
            "Scale-from-zero (autoScaling.min=0) is currently only supported for"
            " AWS and Azure platforms"
        ),
        gate="-LocalPlatform",
    ),
    Rule(
        (
            "!has(self.autoScaling) || self.autoScaling.min > 0 ||"
            " self.platform.type == 'AWS' || self.platform.type == 'Azure' ||"
            " self.platform.type == 'Local'"
        ),
        (
            "Scale-from-zero (autoScaling.min=0) is currently only supported for"
            " AWS, Azure and Local platforms"
        ),
        gate="LocalPlatform",
    ),
)
class NodePoolSpec(Shape):
    """What a user asks of a set of nodes."""

    cluster_name: Annotated[
        str,
        Field(
            "HostedCluster in the same namespace that the nodes join. Immutable.",
            min_length=1,
            max_length=253,
            rules=(
                immutable("ClusterName is immutable"),
                Rule(
                    "self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')",
                    (
                        "clusterName must consist of lowercase alphanumeric characters or '-',"
                        " start and end with an alphanumeric character, and be between 1 and"
                        " 253 characters"
                    ),
                ),
            ),
        ),
    ]
    management: Annotated[Management, Field("How nodes are upgraded and repaired.")]
    platform: Annotated[
        NodePoolPlatform,
        Field(
            "Machines that the nodes run on. A change of what machines look like rolls the nodes."
        ),
    ]
    release: Annotated[
        Release,
        Field(
            "Release that the nodes run; at most three minors older than the cluster's and"
            " never newer. A change rolls the nodes."
        ),
    ]
    arch: Annotated[
        str,
        Field(
            (
                "Processor architecture of the nodes. arm64 on AWS, Azure, Agent, GCP and None;"
                " s390x on KubeVirt. Default amd64; immutable."
            ),
            enum=members(Architecture),
            rules=(immutable("Arch is immutable"),),
        ),
    ] = "amd64"
    auto_scaling: Annotated[
        AutoScaling | None,
        Field(
            "Bounds between which the autoscaler sets the number of nodes. Not together with"
            " `replicas`."
        ),
    ] = None
    config: Annotated[
        tuple[LocalObjectReference, ...],
        Field(
            (
                "ConfigMaps in the same namespace, each with machine configuration under"
                " `config`: MachineConfig, KubeletConfig, ContainerRuntimeConfig or image mirror"
                " sets. At most 10. A change rolls the nodes."
            ),
            max_items=10,
        ),
    ] = ()
    node_drain_timeout: Annotated[
        str | None,
        Field(
            "How long draining a node may take before it is removed all the same, as a Go"
            " duration. `0s` and unset mean without limit."
        ),
    ] = None
    node_labels: Annotated[
        Mapping[str, str] | None,
        Field("Labels of the nodes. A change reaches existing nodes without replacing them."),
    ] = None
    node_volume_detach_timeout: Annotated[
        str | None,
        Field(
            "How long to wait for volumes to be detached from a node that goes away, as a Go"
            " duration. `0s` and unset mean without limit."
        ),
    ] = None
    os_image_stream: Annotated[
        OSImageStream | None,
        Field(
            (
                "Operating system stream of the nodes. Default: the release's. A change rolls the"
                " nodes; it cannot be removed, nor go back from rhel-10 to rhel-9."
            ),
            gate="OSStreams",
        ),
    ] = None
    paused_until: Annotated[
        str | None,
        Field(
            (
                "Stops reconciliation of this pool: an RFC 3339 date until which it is paused, or"
                " `true` for as long as it is set. `false` and unset mean not paused."
            ),
            min_length=1,
            max_length=35,
            rules=(PAUSED_UNTIL,),
        ),
    ] = None
    replicas: Annotated[
        Int32 | None, Field("Number of nodes. Unset means 0. Not together with `autoScaling`.")
    ] = None
    taints: Annotated[
        tuple[Taint, ...] | None,
        Field(
            (
                "Taints that new nodes register with, at most 50. A change reaches existing nodes"
                " when they are replaced or updated."
            ),
            max_items=50,
        ),
    ] = None
    tuning_config: Annotated[
        tuple[LocalObjectReference, ...],
        Field(
            (
                "ConfigMaps in the same namespace, each with a Tuned or PerformanceProfile under"
                " `tuning`. At most 10. What changes the kernel's command line rolls the nodes."
            ),
            max_items=10,
        ),
    ] = ()


@constrained(
    Rule(
        (
            "!has(oldSelf.name) || oldSelf.name != 'rhel-10' || (has(self.name) &&"
            " self.name != 'rhel-9')"
        ),
        (
            "OS stream downgrade from rhel-10 to rhel-9 is not allowed; create a"
            " new NodePool instead"
        ),
    ),
)
class OSImageStream(Shape):
    """The operating system stream of nodes."""

    name: Annotated[str, Field("Name of the stream.", enum=("rhel-9", "rhel-10"))]


class Taint(Shape):
    """A taint of nodes."""

    effect: Annotated[
        str,
        Field(
            "What happens to pods that do not tolerate it.",
            enum=("NoSchedule", "PreferNoSchedule", "NoExecute"),
        ),
    ]
    key: Annotated[
        str,
        Field(
            "Key of the taint, with an optional `domain/` in front.",
            min_length=1,
            max_length=253,
            rules=(
                Rule(
                    (
                        r"self.matches('^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]("
                        r"[-a-z0-9]*[a-z0-9])?)*\\/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,"
                        "61}[A-Za-z0-9])?$')"
                    ),
                    (
                        "key must be a qualified name with an optional subdomain prefix e.g."
                        " example.com/MyName"
                    ),
                ),
            ),
        ),
    ]
    value: Annotated[
        str | None,
        Field(
            "Value of the taint; may be empty.",
            max_length=253,
            rules=(
                Rule(
                    "self.matches('^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$')",
                    (
                        "Value must start and end with alphanumeric characters and can only"
                        " contain '-', '_', '.' in the middle"
                    ),
                ),
            ),
        ),
    ] = None
