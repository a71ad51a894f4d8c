"""Private links: the half in the account of the management cluster, one service for each link."""

from hypershift.operators.hypershift.private_link.controller import controllers
from hypershift.operators.hypershift.private_link.scope import Environment

__all__ = ["Environment", "controllers"]
