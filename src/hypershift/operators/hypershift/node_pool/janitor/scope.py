"""What one pass over a Secret of a pool knows."""

from dataclasses import dataclass

from hypershift.operators.hypershift.node_pool.scope import Environment
from hypershift.runtime import Scope


@dataclass(slots=True)
class SecretScope(Scope):
    """One pass over a Secret."""

    environment: Environment
