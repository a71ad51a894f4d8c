"""OpenshiftEC2NodeClass: machines that Karpenter makes on AWS."""

from hypershift.api.karpenter.devices import BlockDevice, BlockDeviceMapping, MetadataOptions
from hypershift.api.karpenter.kubelet import KubeletConfiguration
from hypershift.api.karpenter.node_class import OpenshiftEC2NodeClass, OpenshiftEC2NodeClassSpec
from hypershift.api.karpenter.selectors import (
    CapacityReservationSelectorTerm,
    SecurityGroupSelectorTerm,
    SubnetSelectorTerm,
)
from hypershift.api.karpenter.status import (
    NodeClassCapacityReservation,
    NodeClassSecurityGroup,
    NodeClassSubnet,
    OpenshiftEC2NodeClassStatus,
)

__all__ = [
    "BlockDevice",
    "BlockDeviceMapping",
    "CapacityReservationSelectorTerm",
    "KubeletConfiguration",
    "MetadataOptions",
    "NodeClassCapacityReservation",
    "NodeClassSecurityGroup",
    "NodeClassSubnet",
    "OpenshiftEC2NodeClass",
    "OpenshiftEC2NodeClassSpec",
    "OpenshiftEC2NodeClassStatus",
    "SecurityGroupSelectorTerm",
    "SubnetSelectorTerm",
]
