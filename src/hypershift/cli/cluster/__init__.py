"""`create cluster` and `destroy cluster`, one module per platform."""

from hypershift.cli import clouds
from hypershift.cli.cluster import (
    agent,
    aws,
    azure,
    create,
    destroy,
    gcp,
    kubevirt,
    local,
    none,
    openstack,
    powervs,
)

_PRODUCT = (agent.PLATFORM, aws.PLATFORM, azure.PLATFORM, kubevirt.PLATFORM, openstack.PLATFORM)

CREATE = create.group((*_PRODUCT, gcp.PLATFORM, local.PLATFORM, none.PLATFORM, powervs.PLATFORM))
PRODUCT_CREATE = create.group(_PRODUCT, product=True)
DESTROY = destroy.group(
    ("agent", "gcp", "kubevirt", "local", "none", "openstack"), *clouds.CLUSTERS
)
PRODUCT_DESTROY = destroy.group(
    ("agent", "kubevirt", "openstack"), *clouds.PRODUCT_CLUSTERS, product=True
)

__all__ = ["CREATE", "DESTROY", "PRODUCT_CREATE", "PRODUCT_DESTROY"]
