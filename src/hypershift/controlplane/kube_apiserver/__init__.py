"""kube-apiserver: the hosted cluster's front door."""

from hypershift.controlplane.kube_apiserver.encryption import changes_key
from hypershift.controlplane.kube_apiserver.kubernetes import KUBERNETES
from hypershift.controlplane.kube_apiserver.openshift import OPENSHIFT

__all__ = ["KUBERNETES", "OPENSHIFT", "changes_key"]
