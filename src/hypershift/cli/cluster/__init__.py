"""`create cluster` and `destroy cluster`, one module per platform."""

from hypershift.cli import clouds
from hypershift.cli.cluster import create, destroy

_PRODUCT = {
    "agent": "A cluster on bare-metal machines known as Agents",
    "aws": "A cluster on AWS",
    "azure": "A cluster on Azure",
    "kubevirt": "A cluster of KubeVirt machines",
    "openstack": "A cluster on OpenStack",
}
_DEVELOPER = {
    "gcp": "A cluster on Google Cloud",
    "local": "A cluster whose nodes are machines on this host",
    "none": "A cluster whose machines you boot yourself",
    "powervs": "A cluster on IBM Power Virtual Server",
}

CREATE = create.group(_PRODUCT | _DEVELOPER)
PRODUCT_CREATE = create.group(_PRODUCT, product=True)
DESTROY = destroy.group(
    ("agent", "gcp", "kubevirt", "local", "none", "openstack"), *clouds.CLUSTERS
)
PRODUCT_DESTROY = destroy.group(
    ("agent", "kubevirt", "openstack"), *clouds.PRODUCT_CLUSTERS, product=True
)

__all__ = ["CREATE", "DESTROY", "PRODUCT_CREATE", "PRODUCT_DESTROY"]
