"""Publish what machines boot with that no NodePool makes: Karpenter's, by the same configuration.

The pool and its HostedCluster are in memory: they say what a NodePool would say, and the very
phases of the NodePool controller make token and user data of it.
"""

from collections.abc import Sequence
from dataclasses import replace

from hypershift.kit import Manifest, TransientError
from hypershift.operators.hypershift.node_pool import config, look, names, token
from hypershift.operators.hypershift.node_pool.scope import Environment, OnDemandScope
from hypershift.runtime import Context, Phase, Stop

#: What a NodePool's pass does before machines are thought of.
_STEPS = (
    look.find_release,
    look.find_ignition_endpoint,
    config.generate_config,
    config.read_trust_bundle,
    token.publish_token,
    token.publish_user_data,
    token.retire_tokens,
)


async def publish(
    environment: Environment, context: Context, cluster: Manifest, pool: Manifest, current: str
) -> str:
    """Keep token and user data of a pool in memory, and return the hash that names them.

    `current` is the hash that machines have had so far: those Secrets retire once it is another.
    """
    marks = {names.CURRENT_CONFIG_VERSION: current} if current else {}
    metadata = pool["metadata"] | {"annotations": marks}
    # The conditions of a pool in memory are nobody's.
    context = replace(context, writer=None)
    scope = OnDemandScope(pool | {"metadata": metadata}, context, environment)
    scope.hosted_cluster = cluster
    await _run(_STEPS if current else _STEPS[:-1], scope)
    return scope.wanted_config.hash


async def _run(steps: Sequence[Phase[OnDemandScope]], scope: OnDemandScope) -> None:
    for step in steps:
        outcome = await step(scope)
        if isinstance(outcome, Stop):
            raise TransientError(outcome.message or outcome.reason)
