"""kube-controller-manager: runs the hosted cluster's own controllers."""

from hypershift.controlplane.kube_controller_manager.kubernetes import KUBERNETES
from hypershift.controlplane.kube_controller_manager.openshift import OPENSHIFT

__all__ = ["KUBERNETES", "OPENSHIFT"]
