"""Support of the other fields of HostedCluster.spec."""

from hypershift.api.platforms.traits import TRAITS
from hypershift.operators.hypershift.support.rows import (
    HOSTED,
    Status,
    Support,
    harmless,
    honoured,
    ignored,
    refused,
)
from hypershift.release import Product

_OPENSHIFT = Product.OPENSHIFT
#: Platforms where Karpenter makes nodes.
_ON_DEMAND = tuple(name for name, traits in TRAITS.items() if traits.makes_nodes_on_demand)
_UNREAD = "the operator has no reader for it yet"
_CLOUDS = ("agent", "azure", "gcp", "ibmcloud", "kubevirt", "openstack", "powervs")

PLATFORMS: tuple[Support, ...] = (
    Support(
        path="platform.type",
        status=Status.HONOURED,
        text="HostedCluster and NodePool controllers",
        platforms=frozenset(HOSTED),
    ),
    refused(
        "platform.type",
        f"this operator hosts clusters on {', '.join(HOSTED[:-1])} and {HOSTED[-1]} alone",
        None,
    ),
    *honoured("local provider", "platform.local"),
    *honoured("HostedCluster controller, Cluster API's provider for AWS", "platform.aws"),
    *harmless(
        "the release image decides which architectures there are, and the status names them",
        "platform.aws.multiArch",
    ),
    ignored(
        "platform.aws.serviceEndpoints",
        "Cluster API's provider and the operator call the public addresses",
    ),
    *honoured(
        "aws-node-termination-handler",
        "platform.aws.terminationHandlerQueueURL",
        product=_OPENSHIFT,
    ),
    ignored(
        "platform.aws.terminationHandlerQueueURL",
        "a Kubernetes release has no handler of interruptions",
        Product.KUBERNETES,
    ),
    *(
        refused(f"platform.{cloud}", "this operator cannot host clusters on this platform", None)
        for cloud in _CLOUDS
    ),
)

CONTROL_PLANE: tuple[Support, ...] = (
    *honoured(
        "control plane components",
        "controllerAvailabilityPolicy",
        "labels",
        "nodeSelector",
        "tolerations",
        "release",
        "controlPlaneRelease",
        "pullSecret",
    ),
    *honoured("HostedCluster controller", "clusterID", "infraID", "pausedUntil"),
    *honoured(
        "kube-apiserver",
        "auditWebhook",
        "issuerURL",
        "kubeAPIServerDNSName",
        "serviceAccountSigningKey",
    ),
    *honoured("control plane operator (Services, Routes)", "services"),
    *honoured("ServiceMonitors", "monitoring.metricsSet"),
    refused(
        "monitoring.metricsForwarding",
        "a Kubernetes release has no endpoint resolver that could forward metrics: use mode None",
        allows=("None",),
    ),
    ignored("monitoring.metricsForwarding", _UNREAD, _OPENSHIFT, allows=("None",)),
    *harmless(
        "it says how much is forwarded, and the mode decides that nothing is",
        "monitoring.metricsForwarding.metricsSet",
    ),
    refused(
        "fips",
        "no image of this operator is built with validated cryptography: create the cluster"
        " without it",
        None,
        fixed=True,
    ),
    refused("capabilities.enabled", "a Kubernetes release has no such capabilities: remove it"),
    *honoured("version operator", "capabilities.enabled", product=_OPENSHIFT),
    *harmless(
        "a Kubernetes release has none of them",
        "capabilities.disabled",
        product=Product.KUBERNETES,
    ),
    *honoured(
        "kube-apiserver, PKI, NodePool controller", "capabilities.disabled", product=_OPENSHIFT
    ),
)

NETWORK: tuple[Support, ...] = (
    *honoured(
        "kube-apiserver, kube-controller-manager, nodes",
        "networking.apiServer",
        "networking.clusterNetwork",
        "networking.serviceNetwork",
    ),
    *honoured(
        "Service of the API server or of its router; where neither a load balancer nor a router of"
        " ours publishes it, IgnoredSettings says that every client reaches it",
        "networking.apiServer.allowedCIDRBlocks",
    ),
    *honoured("configuration of nodes (noProxy)", "networking.machineNetwork"),
    *honoured("kube-controller-manager", "networking.allocateNodeCIDRs", product=Product.OPENSHIFT),
    ignored(
        "networking.allocateNodeCIDRs",
        "kube-controller-manager of a Kubernetes release always allocates ranges of nodes",
        Product.KUBERNETES,
        allows=("Enabled",),
    ),
    *honoured("release check, validation", "networking.networkType", product=_OPENSHIFT),
    refused(
        "networking.networkType",
        "this operator would install kube-router instead: use Other and install the network"
        " of your choice",
        allows=("OVNKubernetes", "Other"),
        fixed=True,
    ),
    *honoured("kube-apiserver, certificates", "dns", product=_OPENSHIFT),
    *harmless(
        "a Kubernetes release has no routes whose names would lie below it",
        "dns",
        product=Product.KUBERNETES,
    ),
    *(
        ignored(f"dns.{name}", "this operator writes no records into DNS zones")
        for name in ("privateZoneID", "publicZoneID")
    ),
)

NODES: tuple[Support, ...] = (
    *honoured("cluster-autoscaler", "autoscaling"),
    *honoured("configuration of nodes", "additionalTrustBundle"),
    *honoured(
        "configuration of nodes; a NodePool is refused (ValidMachineConfig) when a mirror renames"
        " repositories",
        "imageContentSources",
        product=Product.KUBERNETES,
    ),
    *honoured("mirrors inside the cluster", "imageContentSources", product=_OPENSHIFT),
    *honoured("copied to the control plane", "sshKey", product=_OPENSHIFT),
    ignored("sshKey", "nodes of a Kubernetes release run no SSH server", Product.KUBERNETES),
    *honoured("Karpenter and its operator", "autoNode", platforms=_ON_DEMAND),
    refused("autoNode", "Karpenter makes nodes on AWS alone: use NodePools", None),
    *honoured(
        "configuration inside the cluster",
        "infrastructureAvailabilityPolicy",
        product=_OPENSHIFT,
    ),
    ignored(
        "infrastructureAvailabilityPolicy",
        "the operator installs nothing on nodes whose replicas would follow it",
        Product.KUBERNETES,
    ),
    *honoured("catalogs of operators", "olmCatalogPlacement", product=_OPENSHIFT),
    ignored(
        "olmCatalogPlacement",
        "there are no catalogs of operators",
        Product.KUBERNETES,
        allows=("management",),
    ),
    *honoured("version operator", "channel", "updateService", product=_OPENSHIFT),
    *(
        ignored(name, "no program looks for updates", Product.KUBERNETES)
        for name in ("channel", "updateService")
    ),
)

ROWS: tuple[Support, ...] = (*PLATFORMS, *CONTROL_PLANE, *NETWORK, *NODES)
