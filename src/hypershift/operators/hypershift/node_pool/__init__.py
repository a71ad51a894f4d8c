"""NodePool: a set of machines that run one release and one configuration, and join as nodes."""

from typing import Any

from hypershift.operators.hypershift.node_pool import janitor
from hypershift.operators.hypershift.node_pool.controller import controller
from hypershift.operators.hypershift.node_pool.on_demand import publish
from hypershift.operators.hypershift.node_pool.scope import Environment, PoolScope
from hypershift.runtime import Controller

__all__ = ["Environment", "PoolScope", "controller", "controllers", "publish"]


def controllers(environment: Environment) -> tuple[Controller[Any], ...]:
    """The controller of pools, and the one that cleans up after them."""
    return controller(environment), janitor.controller(environment)
