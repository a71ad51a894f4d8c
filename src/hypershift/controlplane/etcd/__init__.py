"""etcd: keeps everything that a hosted cluster knows."""

from hypershift.controlplane.etcd.kubernetes import KUBERNETES

__all__ = ["KUBERNETES"]
