"""Upgrades the machines of InPlace pools: new image and configuration on the same disk."""

from collections.abc import Sequence

from hypershift.kit import Manifest
from hypershift.kube import kinds
from hypershift.operators.guest_config.deadline import GUEST_PASS
from hypershift.operators.guest_config.in_place.look import connect, find_target, forget, look
from hypershift.operators.guest_config.in_place.machines import upgrade
from hypershift.operators.guest_config.in_place.scope import UpgradeScope
from hypershift.runtime import (
    Context,
    Controller,
    Phase,
    Watch,
    mapping,
)

NAME = "inplaceupgrader"
NORMAL: Sequence[Phase[UpgradeScope]] = (find_target, connect, look, upgrade)
DELETE: Sequence[Phase[UpgradeScope]] = (forget,)


def controller(namespace: str = "") -> Controller[UpgradeScope]:
    """The in-place upgrader of one control plane namespace, or of all."""

    def scope(machine_set: Manifest, context: Context) -> UpgradeScope:
        return UpgradeScope(machine_set, context)

    return Controller(
        name=NAME,
        resource=kinds.MACHINE_SET,
        scope=scope,
        normal=NORMAL,
        delete=DELETE,
        namespace=namespace,
        watches=(Watch(kinds.MACHINE, keys=mapping.by_owner(kinds.MACHINE_SET), optional=True),),
        manages_status=False,
        honour_pause=False,
        timeout=GUEST_PASS,
    )
