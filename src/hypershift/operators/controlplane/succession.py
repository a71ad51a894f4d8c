"""The phase that replaces a control plane's authorities on request, stage by stage."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from hypershift.api import annotations, labels
from hypershift.api.conditions import ControlPlaneCondition, fails, holds
from hypershift.api.well_known import CONTROL_PLANE_OPERATOR
from hypershift.kit import InvalidSpec, Manifest, go_duration
from hypershift.kube import kinds
from hypershift.operators.controlplane.publish import site
from hypershift.operators.controlplane.rules import succession as rules
from hypershift.operators.controlplane.scope import PlaneScope
from hypershift.pki import (
    SUCCESSION_SECRET,
    Stage,
    Succession,
    advanced,
    begun,
    by_kind_and_name,
    wanted,
)
from hypershift.pki import authorities as present
from hypershift.pki.succession import secret
from hypershift.runtime import Done, Outcome, Wait

#: Programs that read the root's certificate once have this long to be restarted.
GRACE = timedelta(hours=24)
LOOK, NEXT = timedelta(seconds=10), timedelta(seconds=1)


async def begin_succession(scope: PlaneScope) -> Outcome:
    """Make successors of all authorities when a new request asks for it, one request at a time."""
    request = scope.annotations.get(annotations.ROTATE_AUTHORITIES, "")
    found = scope.succession
    if not request or (found and (found.under_way or found.request == request)):
        return Done()
    if why := why_not(scope):
        scope.conditions.set(rules.refused(why))
        return Done()
    plan = wanted(site(scope))
    known = present(by_kind_and_name(scope.secrets.values()), plan)
    data = begun(request, plan.authorities, known, scope.clock.now())
    live = scope.secrets.get(SUCCESSION_SECRET)
    if live is None:
        made = await scope.kube.create(scope.owned(secret(scope.namespace, data)))
    else:
        made = await _patched(scope, live, {"data": data})
    scope.secrets[SUCCESSION_SECRET] = made
    scope.log.info("authorities are being replaced", request=request, authorities=len(known))
    return Done()


def why_not(scope: PlaneScope) -> str:
    """Return why authorities cannot be replaced now; empty when they can."""
    if annotations.DISABLE_PKI_RECONCILIATION in scope.annotations:
        return "The cluster's certificates are made by others: replace its authorities there"
    if scope.release is not None and scope.release.openshift:
        return "The nodes of an OpenShift cluster cannot be given new authorities yet"
    if not scope.conditions.is_true(ControlPlaneCondition.AVAILABLE):
        return "The control plane is not available: authorities are replaced once it is"
    try:
        grace(scope)
    except InvalidSpec as error:
        return str(error)
    return ""


def grace(scope: PlaneScope) -> timedelta:
    """How long old authorities are trusted after everything was signed by new ones."""
    text = scope.annotations.get(annotations.ROTATE_AUTHORITIES_GRACE, "")
    return go_duration(text) if text else GRACE


async def follow_succession(scope: PlaneScope) -> Outcome:
    """Report what a replacement waits for, and bring it to its next stage when nothing is left."""
    found = scope.succession
    if found is None:
        return Done()
    if not found.under_way:
        if not _is_refused(scope, found):
            scope.conditions.set(rules.completed(found))
        return Done()
    behind = await _behind(scope, found)
    now = scope.clock.now()
    if behind or (left := _left(scope, found, now)) is None:
        scope.conditions.set(rules.waiting(found, behind))
        return Wait("AuthoritiesRotate", after=LOOK)
    if left > timedelta():
        scope.conditions.set(rules.kept(found, grace(scope)))
        return Wait("OldAuthoritiesKept", after=left)
    scope.secrets[SUCCESSION_SECRET] = await _patched(
        scope, scope.secrets[SUCCESSION_SECRET], {"data": advanced(found, now)}
    )
    scope.log.info("authorities go to their next stage", stage=str(found.stage.next))
    return Wait("NextStage", after=NEXT)


def _is_refused(scope: PlaneScope, found: Succession) -> bool:
    """Whether a newer request waits; the condition reports it."""
    request = scope.annotations.get(annotations.ROTATE_AUTHORITIES, "")
    return bool(request) and request != found.request


def _left(scope: PlaneScope, found: Succession, now: datetime) -> timedelta | None:
    """How long old authorities stay trusted yet; None while the annotation cannot be read."""
    if found.stage is not Stage.REISSUE:
        return timedelta()
    try:
        return max(found.since + grace(scope) - now, timedelta())
    except InvalidSpec:
        return None


async def _behind(scope: PlaneScope, found: Succession) -> list[str]:
    """The programs and nodes that have not finished a stage, read from the API server."""
    if scope.issued:
        return ["certificates"]
    live, place = scope.context.live, scope.namespace
    ours = f"{labels.MANAGED_BY}={CONTROL_PLANE_OPERATOR}"
    workloads = [
        *await live.list(kinds.DEPLOYMENT, place, labels=ours),
        *await live.list(kinds.STATEFUL_SET, place, labels=ours),
    ]
    pods = await live.list(kinds.POD, place, labels=f"{labels.HOSTED_CONTROL_PLANE}={place}")
    late = {*rules.late(workloads, found.mark), *rules.ending(pods)}
    return sorted(late) or list(_guest(scope, found))


def _guest(scope: PlaneScope, found: Succession) -> Iterator[str]:
    """The other side of the tunnel; in the end the tunnel itself, asked for a log."""
    told = scope.conditions.get(ControlPlaneCondition.GUEST_AUTHORITIES) or {}
    if not (holds(told) and found.mark in told.get("message", "").split()):
        text = told.get("message", "") if fails(told) else ""
        yield f"the hosted cluster{f' ({text})' if text else ''}"
    tunnel = scope.conditions.get(ControlPlaneCondition.DATA_PLANE_CONNECTION_AVAILABLE)
    if tunnel and fails(tunnel):
        yield "the tunnel to the nodes"


async def _patched(scope: PlaneScope, live: Manifest, patch: Manifest) -> Manifest:
    """Patch the Secret, unless it changed since it was looked at: one step at a time."""
    version = {"metadata": {"resourceVersion": live["metadata"]["resourceVersion"]}}
    return await scope.kube.patch(kinds.SECRET, SUCCESSION_SECRET, version | patch, scope.namespace)
