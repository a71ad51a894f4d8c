"""`create nodepool` and `destroy nodepool`, one module per platform."""

from hypershift.cli.nodepool import create, destroy

_PRODUCT = {
    "agent": "A pool of bare-metal machines known as Agents",
    "aws": "A pool of AWS instances",
    "azure": "A pool of Azure virtual machines",
    "kubevirt": "A pool of KubeVirt machines",
    "openstack": "A pool of OpenStack servers",
}
_DEVELOPER = {
    "powervs": "A pool of Power virtual servers",
    "local": "A pool of machines on this host",
}

CREATE = create.group(_PRODUCT | _DEVELOPER)
PRODUCT_CREATE = create.group(_PRODUCT, product=True)
DESTROY = destroy.COMMAND

__all__ = ["CREATE", "DESTROY", "PRODUCT_CREATE"]
