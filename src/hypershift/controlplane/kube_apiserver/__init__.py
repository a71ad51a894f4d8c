"""kube-apiserver: the hosted cluster's front door."""

from hypershift.controlplane.kube_apiserver.kubernetes import KUBERNETES

__all__ = ["KUBERNETES"]
