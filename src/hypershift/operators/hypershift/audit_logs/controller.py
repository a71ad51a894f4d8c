"""The controllers of kept audit logs: of the configuration, of control planes, of pods.

    AuditLogPersistenceConfig ──► annotation of HostedControlPlanes ──► kube-apiserver's Deployment
                                                                                    │
        VolumeSnapshots ◄── the server restarted ◄── pod with a claim of its own ◄──┘

The claim is made with its pod and would go with it; a pass over the pod lets the pod's ReplicaSet
own it too, so the log stays until the rollout that wrote it is forgotten.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from hypershift.api import labels
from hypershift.api.conditions import Owner
from hypershift.api.well_known import KUBE_APISERVER
from hypershift.kit import Key, Manifest
from hypershift.kube import kinds
from hypershift.operators.hypershift.audit_logs import pods, status
from hypershift.operators.hypershift.audit_logs.hand_over import hand_over
from hypershift.operators.hypershift.audit_logs.scope import SNAPSHOTS, PodScope
from hypershift.runtime import Controller, Phase, Scope, Watch, changes_metadata, mapping

CONFIG = Owner.AUDIT_LOG_PERSISTENCE.value
PLANES = "audit-log-persistence-planes"
PODS = "audit-log-snapshot"
OF_PODS: Sequence[Phase[PodScope]] = (
    pods.look,
    pods.keep_claim,
    pods.take_snapshot,
    pods.forget_old_snapshots,
    pods.remember,
)
_EVERY = mapping.EVERY.name


def _nothing(_: Manifest) -> Iterable[Key]:
    return ()


def of_config() -> Controller[Scope]:
    """The controller of the configuration's conditions."""
    return Controller(
        name=CONFIG,
        resource=kinds.AUDIT_LOG_PERSISTENCE_CONFIG,
        scope=Scope,
        normal=(status.report,),
        indexes=(mapping.EVERY,),
        watches=(
            Watch(kinds.STORAGE_CLASS, mapping.every, wakes=changes_metadata, through=_EVERY),
            Watch(
                kinds.CUSTOM_RESOURCE_DEFINITION,
                mapping.every,
                fields=f"metadata.name={SNAPSHOTS}",
                metadata_only=True,
                through=_EVERY,
            ),
        ),
        honour_pause=False,
    )


def of_planes() -> Controller[Scope]:
    """The controller that hands the configuration to every control plane."""
    return Controller(
        name=PLANES,
        resource=kinds.HOSTED_CONTROL_PLANE,
        scope=Scope,
        normal=(hand_over,),
        indexes=(mapping.EVERY,),
        watches=(
            Watch(
                kinds.AUDIT_LOG_PERSISTENCE_CONFIG,
                mapping.every,
                wakes=changes_metadata,
                through=_EVERY,
            ),
            Watch(kinds.STORAGE_CLASS, mapping.every, wakes=changes_metadata, through=_EVERY),
        ),
        manages_status=False,
    )


def of_pods() -> Controller[PodScope]:
    """The controller of API servers' pods."""
    return Controller(
        name=PODS,
        resource=kinds.POD,
        scope=PodScope,
        normal=OF_PODS,
        labels=f"app={KUBE_APISERVER},{labels.HOSTED_CONTROL_PLANE}",
        watches=(Watch(kinds.AUDIT_LOG_PERSISTENCE_CONFIG, _nothing),),  # read from the cache
        stop_on_error=True,
        manages_status=False,
    )


def controllers() -> Iterable[Controller[Any]]:
    """Every controller of kept audit logs."""
    yield of_config()
    yield of_planes()
    yield of_pods()
