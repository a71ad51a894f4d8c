"""Support of the fields of NodePool.spec."""

from hypershift.operators.hypershift.support.rows import Support, honoured, refused
from hypershift.release import Product

_CLOUDS = ("agent", "azure", "gcp", "ibmcloud", "kubevirt", "openstack", "powervs")

ROWS: tuple[Support, ...] = (
    *honoured(
        "NodePool controller",
        "clusterName",
        "arch",
        "autoScaling",
        "config",
        "management",
        "nodeDrainTimeout",
        "nodeVolumeDetachTimeout",
        "pausedUntil",
        "platform.type",
        "release",
        "replicas",
    ),
    *honoured("hosted cluster config operator", "nodeLabels", "taints"),
    *honoured("local provider", "platform.local"),
    refused(
        "platform.local.labels",
        "machines carry no labels that tools on the host could see: use spec.nodeLabels for nodes",
        None,
    ),
    *honoured("machine template", "platform.aws"),
    *honoured(
        "machine template; HostedClusters of this platform are refused",
        *(f"platform.{cloud}" for cloud in _CLOUDS),
    ),
    *honoured("NodePool controller", "osImageStream", product=Product.OPENSHIFT),
    refused(
        "osImageStream",
        "machines of a Kubernetes release boot the one image of their platform: remove it",
    ),
    *honoured(
        "NodePool controller, for the node tuning operator",
        "tuningConfig",
        product=Product.OPENSHIFT,
    ),
    refused(
        "tuningConfig",
        "a Kubernetes release has no node tuning operator, nodes would not be tuned: remove it,"
        " and give settings of the kubelet and of the kernel by spec.config",
    ),
)
