"""The HyperShift operator: hosted clusters and node pools, from the management cluster."""

from hypershift.operators.hypershift.settings import Mode, Settings

__all__ = ["Mode", "Settings"]
