"""Kinds, names and marks by which Karpenter's operator and what it makes find each other."""

from typing import Final

from hypershift.api import annotations
from hypershift.kube import Resource

_OURS, _AWS, _CORE = "karpenter.hypershift.openshift.io", "karpenter.k8s.aws", "karpenter.sh"

CLASS: Final = Resource(
    _OURS, "v1", "openshiftec2nodeclasses", "OpenshiftEC2NodeClass", namespaced=False
)
EC2_CLASS: Final = Resource(_AWS, "v1", "ec2nodeclasses", "EC2NodeClass", namespaced=False)
POOL: Final = Resource(_CORE, "v1", "nodepools", "NodePool", namespaced=False)
CLAIM: Final = Resource(_CORE, "v1", "nodeclaims", "NodeClaim", namespaced=False)

#: The class that we keep, for those who need nothing special.
DEFAULT: Final = "default"
#: On a Node: the NodePool that it was made for.
NODE_POOL_LABEL: Final = "karpenter.sh/nodepool"
#: On a NodeClaim: from when on its node is deleted whatever is on it.
TERMINATE_AT: Final = "karpenter.sh/nodeclaim-termination-timestamp"
#: On subnets and security groups that nodes of a cluster may have.
DISCOVERY: Final = "karpenter.sh/discovery"

CURRENT_CONFIG_VERSION: Final = annotations.NODE_CLASS_CURRENT_CONFIG_VERSION

SUBNETS: Final = "karpenter-subnets"
POLICY: Final = "karpenter.ec2nodeclass.hypershift.io"
BINDING: Final = "karpenter-binding.ec2nodeclass.hypershift.io"
#: The user that we are in a hosted cluster.
OURSELVES: Final = "system:hosted-cluster-config"


def kubelet_config(node_class: str) -> str:
    """The ConfigMap with the settings of the kubelets of a class."""
    return f"karpenter-kubelet-{node_class}"


def pool_name(node_class: str) -> str:
    """The pool in memory by which nodes of a class are configured."""
    return f"{node_class}-karpenter"
