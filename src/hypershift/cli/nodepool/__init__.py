"""`create nodepool` and `destroy nodepool`, one module per platform."""

from hypershift.cli.nodepool import (
    agent,
    aws,
    azure,
    create,
    destroy,
    kubevirt,
    local,
    openstack,
    powervs,
)

_PRODUCT = (
    agent.PLATFORM,
    aws.PLATFORM,
    azure.PLATFORM,
    kubevirt.PLATFORM,
    openstack.PLATFORM,
)

CREATE = create.group((*_PRODUCT, powervs.PLATFORM, local.PLATFORM))
PRODUCT_CREATE = create.group(_PRODUCT, product=True)
DESTROY = destroy.COMMAND

__all__ = ["CREATE", "DESTROY", "PRODUCT_CREATE"]
