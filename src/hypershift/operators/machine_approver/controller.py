"""Looks at the kubelet requests of each hosted cluster, and approves those of its machines."""

from collections.abc import Sequence
from datetime import timedelta

from hypershift.kube import kinds
from hypershift.kube.cache import BY_NAMESPACE
from hypershift.operators.machine_approver.approve import approve
from hypershift.operators.machine_approver.look import connect, forget
from hypershift.operators.machine_approver.scope import ApproverScope
from hypershift.runtime import (
    Controller,
    Phase,
    Watch,
    mapping,
)

NAME = "machine-approver"
PASS = timedelta(minutes=2)
NORMAL: Sequence[Phase[ApproverScope]] = (connect, approve)
DELETE: Sequence[Phase[ApproverScope]] = (forget,)


def controller(namespace: str = "") -> Controller[ApproverScope]:
    """The approver of one control plane namespace, or of all."""
    machines = Watch(kinds.MACHINE, mapping.its_namespace, through=BY_NAMESPACE.name, optional=True)
    return Controller(
        name=NAME,
        resource=kinds.HOSTED_CONTROL_PLANE,
        scope=ApproverScope,
        normal=NORMAL,
        delete=DELETE,
        namespace=namespace,
        watches=(machines,),
        manages_status=False,
        honour_pause=False,
        timeout=PASS,
    )
