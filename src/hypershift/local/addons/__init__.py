"""What every management cluster runs inside itself: network, names, storage class, Cluster API."""

from hypershift.local.addons.catalog import Stages, Values, access, addons, workloads
from hypershift.local.addons.install import apply_all, await_workloads

__all__ = [
    "Stages",
    "Values",
    "access",
    "addons",
    "apply_all",
    "await_workloads",
    "workloads",
]
