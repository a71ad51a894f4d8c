"""kube-controller-manager: runs the hosted cluster's own controllers."""

from hypershift.controlplane.kube_controller_manager.kubernetes import KUBERNETES, NODE_PREFIX
from hypershift.controlplane.kube_controller_manager.openshift import OPENSHIFT

__all__ = ["KUBERNETES", "NODE_PREFIX", "OPENSHIFT"]
