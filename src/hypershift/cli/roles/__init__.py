"""`operator run` and the other roles: one program, each role started by its own command."""

from hypershift.cli.roles.dedicated import (
    CONTROL_PLANE_OPERATOR,
    HOSTED_CLUSTER_CONFIG_OPERATOR,
    IGNITION_SERVER,
    MACHINE_APPROVER,
    PKI_OPERATOR,
)
from hypershift.cli.roles.karpenter import COMMAND as KARPENTER_OPERATOR
from hypershift.cli.roles.operator import OPERATOR

__all__ = [
    "CONTROL_PLANE_OPERATOR",
    "HOSTED_CLUSTER_CONFIG_OPERATOR",
    "IGNITION_SERVER",
    "KARPENTER_OPERATOR",
    "MACHINE_APPROVER",
    "OPERATOR",
    "PKI_OPERATOR",
]
