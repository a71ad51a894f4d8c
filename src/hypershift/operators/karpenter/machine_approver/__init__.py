"""Approves the certificates of nodes that Karpenter made; those of NodePools have another."""

from hypershift.operators.karpenter.machine_approver.controller import controller
from hypershift.operators.karpenter.machine_approver.scope import OfCloud, of_cloud

__all__ = ["OfCloud", "controller", "of_cloud"]
