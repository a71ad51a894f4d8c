"""How many virtual CPUs a local machine has: what its pool says."""

from decimal import Decimal
from math import ceil

from hypershift.kit import Manifest
from hypershift.platforms.pools import FindData

#: What a machine has whose pool says nothing.
DEFAULT = "2"


def cpus(section: Manifest, data: FindData) -> int:
    """CPUs as a machine shows them: a part of one is one."""
    del data
    quantity = str((section.get("local") or {}).get("cpu") or DEFAULT)
    share = Decimal(quantity.removesuffix("m")) / (1000 if quantity.endswith("m") else 1)
    return ceil(share)
