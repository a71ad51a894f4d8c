"""How many virtual CPUs a local machine has: what its pool says."""

from decimal import Decimal
from math import ceil

from hypershift.api.node_pool import NodePoolPlatform
from hypershift.platforms.pools import FindData

#: What a machine has whose pool does not set it.
DEFAULT = "2"


def cpus(section: NodePoolPlatform, data: FindData) -> int:
    """CPUs as a machine shows them: a part of one is one."""
    del data
    quantity = str((section.local.cpu if section.local else None) or DEFAULT)
    share = Decimal(quantity.removesuffix("m")) / (1000 if quantity.endswith("m") else 1)
    return ceil(share)
