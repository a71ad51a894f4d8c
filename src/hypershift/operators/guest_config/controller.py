"""The guest configuration controller: its phases, and what wakes it on the management side."""

from collections.abc import Sequence
from datetime import timedelta

from hypershift.api.conditions import Owner
from hypershift.kit import Manifest
from hypershift.kube import Resource, kinds
from hypershift.kube.cache import BY_NAMESPACE
from hypershift.operators.guest_config import (
    cleanup,
    connection,
    look,
    nodes,
    reclaimed,
    recovery,
    software,
    status,
    tokens,
    webhooks,
)
from hypershift.operators.guest_config.deadline import GUEST_PASS
from hypershift.operators.guest_config.scope import Environment, GuestScope
from hypershift.runtime import Context, Controller, Phase, Watch, mapping

NAME = Owner.GUEST_CONFIG.value
#: A new cluster fills itself with objects that are not ours.
PACE = timedelta(seconds=0.5)

NORMAL: Sequence[Phase[GuestScope]] = (
    look.connect,
    webhooks.refuse_webhooks,
    look.find_release,
    look.gather,
    software.apply_software,
    status.follow_succession,
    tokens.renew_tokens,
    nodes.sync_nodes,
    reclaimed.replace_reclaimed,
    status.count_nodes,
    status.report_version,
    recovery.follow_recovery,
    connection.read_connection_record,
    connection.probe_tunnel,
)


def beside(resource: Resource, *, optional: bool = False) -> Watch:
    """A watch that wakes the control plane in the namespace of what changed."""
    return Watch(resource, mapping.its_namespace, through=BY_NAMESPACE.name, optional=optional)


def controller(environment: Environment) -> Controller[GuestScope]:
    """The guest configuration of one control plane namespace, or of all."""

    def scope(control_plane: Manifest, context: Context) -> GuestScope:
        return GuestScope(control_plane, context, environment)

    return Controller(
        name=NAME,
        resource=kinds.HOSTED_CONTROL_PLANE,
        scope=scope,
        normal=NORMAL,
        delete=(cleanup.destroyer(), look.forget),
        namespace=environment.namespace,
        watches=(
            beside(kinds.MACHINE, optional=True),
            beside(kinds.SERVICE),
            # A changed pull secret or certificate reaches the guest at once.
            beside(kinds.SECRET),
            beside(kinds.CONFIG_MAP),
        ),
        pace=PACE,
        timeout=GUEST_PASS,
    )
