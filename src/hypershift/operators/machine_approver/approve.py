"""The phase that decides about kubelets' requests, and approves those of our machines."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta

from hypershift.kit import Manifest, data_of, key_of
from hypershift.kube import ApiError, Client, kinds
from hypershift.kube.shape import IDENTITY
from hypershift.operators.machine_approver import egress, kubelet
from hypershift.operators.machine_approver.look import API_RETRY
from hypershift.operators.machine_approver.rules.decision import (
    Approved,
    Refused,
    Retry,
    World,
    decide,
    machine_of,
)
from hypershift.operators.machine_approver.rules.renewal import Presented
from hypershift.operators.machine_approver.scope import ApproverScope
from hypershift.pki import kubelet_limit as limit
from hypershift.pki.kubelet_request import (
    FIELDS,
    KUBELET_SERVING,
    NODE_PREFIX,
    OPENSHIFT,
    Csr,
    approved,
    concerns_us,
    readable,
)
from hypershift.runtime import (
    Done,
    Outcome,
    Wait,
)

#: Who signs the serving certificates of kubelets, as the control plane's own PKI has it.
SIGNER = "cluster-signer-ca"
#: Guest and kubelets are asked so many questions at a time, and for so long in one pass.
AT_ONCE = 8
JUDGING = 60.0
#: A name in an event is the guest's own text.
LONGEST_NAME = 100
RETRY = timedelta(seconds=3)
REASON = "NodeCSRApprove"
MESSAGE = "This CSR was approved by the Node CSR Approver (cluster-machine-approver)"


async def approve(scope: ApproverScope) -> Outcome:
    """Judge what kubelets ask for, unless they ask for too much at once."""
    if scope.guest is None:
        return Done()
    try:
        found = await scope.guest.list(kinds.CERTIFICATE_SIGNING_REQUEST, only=FIELDS)
        requests = readable(found)
        waiting = [one for one, _ in requests.values() if not one.approved]
        if not any(concerns_us(csr, scope.bootstrapper) for csr in waiting):
            return Done()
        world = await _world(scope, scope.guest)
    except ApiError as error:
        return Wait("GuestUnavailable", after=API_RETRY, error=error)
    most = limit.most_pending(len(world.machines), len(world.nodes))
    count = limit.pending(waiting, scope.bootstrapper, scope.clock.now())
    if count > most:
        text = f"{count} requests are pending, more than {most}: nothing is approved"
        await scope.events.warning("TooManyPendingCSRs", text)
        return Done()
    retry = await _decide_all(scope, waiting, requests, world)
    return Wait("CSRsPending", after=RETRY) if retry else Done()


async def _world(scope: ApproverScope, guest: Client) -> World:
    machines = await scope.kube.list(kinds.MACHINE, scope.namespace)
    nodes = await guest.list(kinds.NODE, only=(IDENTITY,))
    names = frozenset(node["metadata"]["name"] for node in nodes)
    return World(machines=machines, nodes=names, bootstrapper=scope.bootstrapper)


async def _decide_all(
    scope: ApproverScope,
    waiting: Sequence[Csr],
    requests: Mapping[str, tuple[Csr, Manifest]],
    world: World,
) -> bool:
    """Approve what is good; True when something may become good."""
    slots = asyncio.Semaphore(AT_ONCE)

    async def one(csr: Csr) -> bool:
        async with slots:
            return await _decide(scope, csr, requests[csr.name][1], world)

    concerned = [csr for csr in waiting if concerns_us(csr, scope.bootstrapper)]
    try:
        async with asyncio.timeout(JUDGING):
            return any(await asyncio.gather(*(one(csr) for csr in concerned)))
    except TimeoutError:
        scope.log.warning("judging requests took too long", requests=len(concerned))
        return True


async def _decide(scope: ApproverScope, csr: Csr, manifest: Manifest, world: World) -> bool:
    """Approve one request if it is good; True when it may become good."""
    decision = decide(csr, world)
    if isinstance(decision, Retry):
        decision = decide(csr, await _beside(scope, csr, world))
    shown = f"{csr.name[:LONGEST_NAME]} of {csr.user[:LONGEST_NAME]}"
    match decision:
        case Approved():
            return not await _approve(scope, manifest)
        case Refused(reason):
            await scope.events.warning("CSRNotApproved", f"{shown} is not approved: {reason}")
            return False
        case Retry(message):
            text = f"{shown} is not approved yet: {message}"
            await scope.events.warning("CSRNotApproved", text)
            return True


async def _beside(scope: ApproverScope, csr: Csr, world: World) -> World:
    """The world with what the asking kubelet serves now; only OpenShift renews that way."""
    if scope.guest is None or scope.bootstrapper.user != OPENSHIFT.user:
        return world
    if csr.signer != KUBELET_SERVING or not csr.user.startswith(NODE_PREFIX):
        return world
    name = csr.user.removeprefix(NODE_PREFIX)
    try:
        bundle = await _bundle(scope)
        authorities = kubelet.authorities(bundle)
        if not authorities:
            return world
        host = kubelet.address_of(name, machine_of(world.machines, name))
        shown = await kubelet.certificate(host, bundle)
        outgoing = await egress.of_node(scope.guest, name)
    except (ApiError, kubelet.NotShown) as error:
        scope.log.debug("no certificate was shown", csr=csr.name, error=str(error))
        return world
    presented = Presented(shown, authorities, scope.clock.now())
    return replace(world, presented=presented, egress=outgoing)


async def _bundle(scope: ApproverScope) -> str:
    """Who signs for kubelets, from the control plane namespace and never from the guest."""
    found = await scope.kube.find(kinds.SECRET, SIGNER, scope.namespace)
    return data_of(found, "ca.crt").decode()


async def _approve(scope: ApproverScope, manifest: Manifest) -> bool:
    if scope.guest is None:
        return False
    wanted = approved(manifest, REASON, MESSAGE, scope.clock.now())
    try:
        await scope.guest.replace(wanted, subresource="approval")
    except ApiError as error:
        scope.log.warning("approval was not written", csr=str(key_of(manifest)), error=str(error))
        return False
    scope.log.info("request approved", csr=manifest["metadata"]["name"])
    return True
