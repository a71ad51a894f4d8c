"""The phase that approves the requests of instances that Karpenter made."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Final

from hypershift.api import HostedControlPlane, read
from hypershift.kit import HypershiftError, Manifest, key_of
from hypershift.kube import ApiError, Client, NotFound, kinds
from hypershift.kube.shape import IDENTITY
from hypershift.operators.karpenter import names
from hypershift.operators.karpenter.look import CLAIM_FIELDS
from hypershift.operators.karpenter.machine_approver.rules.decision import (
    World,
    asked_about,
    why_not,
)
from hypershift.operators.karpenter.machine_approver.scope import RequestScope
from hypershift.pki import kubelet_limit
from hypershift.pki.kubelet_request import FIELDS, Csr, approved, concerns_us, readable
from hypershift.platforms.pools import Instance
from hypershift.runtime import Done, Outcome, Wait

RETRY: Final = timedelta(seconds=5)
#: A claim may have its instance a moment before the cloud tells its name.
SLOW: Final = timedelta(seconds=30)
REASON: Final = "KarpenterCSRApprove"
MESSAGE: Final = "Auto approved by karpenter_machine_approver"
#: A name in an event is the guest's own text.
LONGEST_NAME: Final = 100


async def approve(scope: RequestScope) -> Outcome:
    """Judge what kubelets ask for, unless they ask for too much at once."""
    if scope.guest is None:
        return Done()
    guest, bootstrapper = scope.guest, scope.bootstrapper
    try:
        found = await guest.list(kinds.CERTIFICATE_SIGNING_REQUEST, only=FIELDS)
        requests = readable(found)
        waiting = [
            csr
            for csr, _ in requests.values()
            if not csr.approved and concerns_us(csr, bootstrapper)
        ]
        claims = await _claims(guest) if waiting else []
        if not claims:
            return Done()
        nodes = await guest.list(kinds.NODE, only=(IDENTITY,))
    except ApiError as error:
        return Wait("GuestUnavailable", after=RETRY, error=error)
    most = kubelet_limit.most_pending(len(claims), len(nodes))
    count = kubelet_limit.pending(waiting, bootstrapper, scope.clock.now())
    if count > most:
        text = f"{count} requests are pending, more than {most}: nothing is approved"
        await scope.events.warning("TooManyPendingCSRs", text)
        return Done()
    world = World(claims, frozenset(each["metadata"]["name"] for each in nodes), bootstrapper)
    return await _judge(scope, waiting, requests, world)


async def _claims(guest: Client) -> list[Manifest]:
    try:
        return list(await guest.list(names.CLAIM, only=CLAIM_FIELDS))
    except NotFound:  # Karpenter's kinds are not installed
        return []


async def _judge(
    scope: RequestScope,
    waiting: Sequence[Csr],
    requests: Mapping[str, tuple[Csr, Manifest]],
    world: World,
) -> Outcome:
    ids = frozenset(one for csr in waiting for one in asked_about(csr, world.claims))
    if not ids:
        return Done()
    try:
        world = replace(world, instances=await _instances(scope, ids))
    except HypershiftError as error:
        return Wait("CloudUnavailable", after=RETRY, error=error)
    settled = [await _settle(scope, csr, requests[csr.name][1], world) for csr in waiting]
    return Done() if all(settled) else Wait("CSRsPending", after=SLOW)


async def _instances(scope: RequestScope, ids: frozenset[str]) -> Mapping[str, Instance]:
    section = read(HostedControlPlane, scope.object).spec.platform
    return await scope.clouds(section.type)(section, ids)


async def _settle(scope: RequestScope, csr: Csr, manifest: Manifest, world: World) -> bool:
    """Approve one request if it is good; False when it may become good."""
    if why := why_not(csr, world):
        scope.log.debug("not approved", csr=csr.name[:LONGEST_NAME], why=why)
        return False
    wanted = approved(manifest, REASON, MESSAGE, scope.clock.now())
    try:
        if scope.guest is not None:
            await scope.guest.replace(wanted, subresource="approval")
    except ApiError as error:
        scope.log.warning("approval was not written", csr=str(key_of(manifest)), error=str(error))
        return False
    scope.log.info("request approved", csr=csr.name)
    return True
