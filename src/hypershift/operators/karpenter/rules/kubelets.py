"""How the kubelets of Karpenter's nodes are configured: the taint, and what a class adds."""

from typing import Final

from hypershift.api import labels
from hypershift.controlplane import karpenter
from hypershift.ignition.goyaml import json_to_yaml
from hypershift.kit import Manifest
from hypershift.operators.karpenter import names

#: No pod gets onto a node before Karpenter knows the node.
TAINTS: Final[Manifest] = {
    "registerWithTaints": [
        {"key": "karpenter.sh/unregistered", "value": "true", "effect": "NoExecute"}
    ]
}


def taint_config(namespace: str) -> Manifest:
    """The ConfigMap for classes that say nothing of their kubelets."""
    return _config_map(karpenter.TAINT_CONFIG, namespace, TAINTS)


def class_config(node_class: str, namespace: str, settings: Manifest) -> Manifest:
    """The ConfigMap of a class: its settings, and the taints, which no setting may replace."""
    found = _config_map(names.kubelet_config(node_class), namespace, settings | TAINTS)
    found["metadata"]["labels"] = {labels.KARPENTER_NODE_CLASS_KUBELET_CONFIG: "true"}
    return found


def _config_map(name: str, namespace: str, settings: Manifest) -> Manifest:
    document = {
        "apiVersion": "machineconfiguration.openshift.io/v1",
        "kind": "KubeletConfig",
        "metadata": {"name": name},
        "spec": {"kubeletConfig": settings},
    }
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": name, "namespace": namespace},
        "data": {"config": json_to_yaml(document).removesuffix("\n")},
    }
