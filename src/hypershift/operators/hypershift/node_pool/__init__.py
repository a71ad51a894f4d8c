"""NodePool: a set of machines that run one release and one configuration, and join as nodes."""

from hypershift.operators.hypershift.node_pool.controller import controller
from hypershift.operators.hypershift.node_pool.scope import Environment, PoolScope, Releases

__all__ = ["Environment", "PoolScope", "Releases", "controller"]
