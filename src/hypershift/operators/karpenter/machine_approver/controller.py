"""Looks at the kubelet requests of a hosted cluster, and approves those of Karpenter's nodes."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from hypershift.kit import Manifest
from hypershift.kube import kinds
from hypershift.operators.karpenter.machine_approver.approve import approve
from hypershift.operators.karpenter.machine_approver.look import connect, forget
from hypershift.operators.karpenter.machine_approver.scope import (
    OfCloud,
    RequestScope,
    of_cloud,
)
from hypershift.runtime import Context, Controller, Phase

NAME: Final = "karpenter_machine_approver"
PASS: Final = timedelta(minutes=2)
NORMAL: Sequence[Phase[RequestScope]] = (connect, approve)
DELETE: Sequence[Phase[RequestScope]] = (forget,)


def controller(namespace: str, clouds: OfCloud = of_cloud) -> Controller[RequestScope]:
    """The approver of one control plane namespace."""

    def scope(plane: Manifest, context: Context) -> RequestScope:
        return RequestScope(plane, context, clouds)

    return Controller(
        name=NAME,
        resource=kinds.HOSTED_CONTROL_PLANE,
        scope=scope,
        normal=NORMAL,
        delete=DELETE,
        namespace=namespace,
        manages_status=False,
        honour_pause=False,
        timeout=PASS,
    )
