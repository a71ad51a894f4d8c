"""What every management cluster runs inside itself: network, names, storage class, Cluster API."""

from hypershift.local.addons.catalog import Values, access, addons, workloads
from hypershift.local.addons.install import apply_all, await_workloads

__all__ = ["Values", "access", "addons", "apply_all", "await_workloads", "workloads"]
