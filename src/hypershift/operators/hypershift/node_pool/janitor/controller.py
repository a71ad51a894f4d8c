"""The janitor of pools' Secrets: its phases, and what wakes it.

A pass over a pool retires the Secrets of the configuration that its nodes leave. The janitor finds
the others: of a rollout that was overtaken by the next, or of a pool that is gone.
"""

from collections.abc import Iterator, Sequence

from hypershift.kit import Manifest, annotations_of
from hypershift.kube import kinds
from hypershift.kube.cache import Index
from hypershift.operators.hypershift.node_pool import names
from hypershift.operators.hypershift.node_pool.janitor import secrets
from hypershift.operators.hypershift.node_pool.janitor.scope import SecretScope
from hypershift.operators.hypershift.node_pool.scope import Environment
from hypershift.runtime import Controller, Phase, Watch, mapping

NAME = "nodepool-secret-janitor"

NORMAL: Sequence[Phase[SecretScope]] = (secrets.is_ours, secrets.clean_up)


def pool_of(secret: Manifest) -> Iterator[str]:
    """The pool whose token or user data a Secret is."""
    if pool := names.pool_key(annotations_of(secret)):
        yield str(pool)


BY_POOL = Index("pool", pool_of)


def controller(environment: Environment) -> Controller[SecretScope]:
    """The controller of pools' Secrets."""
    return Controller(
        name=NAME,
        resource=kinds.SECRET,
        scope=lambda secret, context: SecretScope(secret, context, environment),
        normal=NORMAL,
        indexes=(BY_POOL,),
        watches=(Watch(kinds.NODE_POOL, mapping.itself, through=BY_POOL.name),),
        manages_status=False,
    )
