"""What every management cluster runs inside itself: network, names, storage class, Cluster API."""

from hypershift.local.addons.catalog import (
    Stages,
    Values,
    access,
    addons,
    cluster_api_objects,
    workloads,
)
from hypershift.local.addons.install import apply_all, await_workloads, is_available

__all__ = [
    "Stages",
    "Values",
    "access",
    "addons",
    "apply_all",
    "await_workloads",
    "cluster_api_objects",
    "is_available",
    "workloads",
]
