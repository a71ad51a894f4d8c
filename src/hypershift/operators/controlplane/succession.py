"""The phase that replaces a control plane's authorities on request, stage by stage."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from hypershift.api import annotations, labels
from hypershift.api.conditions import ControlPlaneCondition, fails, holds
from hypershift.api.well_known import CONTROL_PLANE_OPERATOR
from hypershift.kit import InvalidSpec, Manifest, annotations_of, data_of
from hypershift.kube import kinds
from hypershift.operators.controlplane import ignition
from hypershift.operators.controlplane.publish import site
from hypershift.operators.controlplane.rules import replacement
from hypershift.operators.controlplane.rules import succession as rules
from hypershift.operators.controlplane.scope import Beginning, PlaneScope
from hypershift.pki import (
    SUCCESSION_SECRET,
    Stage,
    Succession,
    advanced,
    by_kind_and_name,
    secret_data,
    settled,
    wanted,
)
from hypershift.pki import authorities as present
from hypershift.pki.inventory import SERVICE_ACCOUNT_SECRET
from hypershift.pki.succession import secret
from hypershift.pki.token_keys import PUBLIC, digest
from hypershift.platforms import platform_named
from hypershift.runtime import Done, Outcome, Wait

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
    beginning = _beginning(scope, replacement.wish(scope.annotations))
    data = await scope.environment.begin(beginning, scope.clock.now())
    live = scope.secrets.get(SUCCESSION_SECRET)
    if live is None:
        made = await scope.kube.create(scope.owned(secret(scope.namespace, data)))
    else:
        made = await _patched(scope, live, {"data": data})
    scope.secrets[SUCCESSION_SECRET] = made
    count = len(beginning.present)
    scope.log.info("authorities are being replaced", request=request, authorities=count)
    return Done()


def _beginning(scope: PlaneScope, wish: replacement.Wish) -> Beginning:
    plan, existing = wanted(site(scope)), by_kind_and_name(scope.secrets.values())
    stays = why_key_stays(scope) if wish.of_token_keys else ""
    replaces_key = wish.of_token_keys and not stays
    return Beginning(
        wish.request,
        plan.authorities if wish.of_authorities else (),
        present(existing, plan) if wish.of_authorities else {},
        secret_data(existing, SERVICE_ACCOUNT_SECRET) if replaces_key else {},
        stays,
    )


def why_not(scope: PlaneScope) -> str:
    """Return why authorities cannot be replaced now; empty when they can."""
    if annotations.DISABLE_PKI_RECONCILIATION in scope.annotations:
        return "The cluster's certificates are made by others: replace its authorities there"
    if scope.release is not None and scope.release.openshift:
        return "The nodes of an OpenShift cluster cannot be given new authorities yet"
    if not scope.conditions.is_true(ControlPlaneCondition.AVAILABLE):
        return "The control plane is not available: authorities are replaced once it is"
    try:
        wish = replacement.wish(scope.annotations)
    except InvalidSpec as error:
        return str(error)
    stays = "" if wish.of_authorities else why_key_stays(scope)
    return f"The key that signs tokens of service accounts stays: {stays}" if stays else ""


def why_key_stays(scope: PlaneScope) -> str:
    """Return why the key that signs tokens stays; empty when it can be replaced."""
    return replacement.why_key_stays(
        scope.wanted, federated=scope.view().federated, publishes=_publishes(scope)
    )


def _publishes(scope: PlaneScope) -> bool:
    """Whether we write the documents by which others check the cluster's tokens."""
    return bool(platform_named(scope.wanted.platform.type).rules.documents_finalizer)


async def follow_succession(scope: PlaneScope) -> Outcome:
    """Report what a replacement waits for, and bring it to its next stage when nothing is left."""
    found = scope.succession
    if found is None:
        return Done()
    if not found.under_way:
        if not _is_refused(scope, found):
            scope.conditions.set(rules.completed(found))
        return Done()
    await ignition.ask(scope, found)
    behind = await _behind(scope, found)
    now = scope.clock.now()
    if not behind and found.stage is Stage.REISSUE and found.token_keys and not found.settled:
        await _write(scope, settled(now))
        return Wait("OldKeySignedLast", after=NEXT)
    if behind or (end := _end(scope, found, now)) is None:
        scope.conditions.set(rules.waiting(found, behind))
        return Wait("AuthoritiesRotate", after=LOOK)
    if end > now:
        scope.conditions.set(rules.kept(found, end))
        return Wait("OldAuthoritiesKept", after=end - now)
    await _write(scope, advanced(found, now))
    scope.log.info("authorities go to their next stage", stage=str(found.next_stage))
    return Wait("NextStage", after=NEXT)


def _is_refused(scope: PlaneScope, found: Succession) -> bool:
    """Whether a newer request waits; the condition reports it."""
    request = scope.annotations.get(annotations.ROTATE_AUTHORITIES, "")
    return bool(request) and request != found.request


def _end(scope: PlaneScope, found: Succession, now: datetime) -> datetime | None:
    """Until when old authorities stay trusted; None while an annotation cannot be read."""
    if found.stage is not Stage.REISSUE:
        return now
    try:
        wish = replacement.wish(scope.annotations)
    except InvalidSpec:
        return None
    if found.settled:  # tokens have their time from the last one that the old key signed
        return found.settled + max(wish.grace, wish.token_lifetime)
    return found.since + wish.grace


async def _behind(scope: PlaneScope, found: Succession) -> list[str]:
    """The programs and nodes that have not finished a stage, read from the API server."""
    if scope.issued:
        return ["certificates"]
    if found.token_keys and _publishes(scope) and not _is_published(scope):
        return ["the documents of the token issuer"]
    live, place = scope.context.live, scope.namespace
    ours = f"{labels.MANAGED_BY}={CONTROL_PLANE_OPERATOR}"
    workloads = [
        *await live.list(kinds.DEPLOYMENT, place, labels=ours),
        *await live.list(kinds.STATEFUL_SET, place, labels=ours),
    ]
    pods = await live.list(kinds.POD, place, labels=f"{labels.HOSTED_CONTROL_PLANE}={place}")
    late = {*rules.late(workloads, found), *rules.ending(pods, found)}
    return sorted(late) or [*_guest(scope, found), *ignition.behind(scope, found)]


def _is_published(scope: PlaneScope) -> bool:
    """Whether the issuer's documents list the keys that the API servers are given now."""
    found = scope.secrets.get(SERVICE_ACCOUNT_SECRET) or {}
    listed = annotations_of(found).get(annotations.PUBLISHED_TOKEN_KEYS)
    return listed == digest(data_of(found, PUBLIC))


def _guest(scope: PlaneScope, found: Succession) -> Iterator[str]:
    """The other side of the tunnel; in the end the tunnel itself, asked for a log."""
    if found.is_of_token_keys_alone and found.stage is not Stage.RENEW:
        return
    told = scope.conditions.get(ControlPlaneCondition.GUEST_AUTHORITIES) or {}
    if not (holds(told) and found.word in told.get("message", "").split()):
        text = told.get("message", "") if fails(told) else ""
        yield f"the hosted cluster{f' ({text})' if text else ''}"
    tunnel = scope.conditions.get(ControlPlaneCondition.DATA_PLANE_CONNECTION_AVAILABLE)
    if tunnel and fails(tunnel) and found.replaces_authorities:
        yield "the tunnel to the nodes"


async def _write(scope: PlaneScope, data: Manifest) -> None:
    """Patch the Secret and remember it."""
    live = scope.secrets[SUCCESSION_SECRET]
    scope.secrets[SUCCESSION_SECRET] = await _patched(scope, live, {"data": data})


async def _patched(scope: PlaneScope, live: Manifest, patch: Manifest) -> Manifest:
    """Patch the Secret, unless it changed since it was looked at: one step at a time."""
    version = {"metadata": {"resourceVersion": live["metadata"]["resourceVersion"]}}
    return await scope.kube.patch(kinds.SECRET, SUCCESSION_SECRET, version | patch, scope.namespace)
