"""Runs the Local infrastructure provider beside the supervisor, with an identity of its own."""

import asyncio

from hypershift.kube import Client, kinds
from hypershift.local import provider
from hypershift.local.cluster.plan import zone_name
from hypershift.local.cluster.settings import Settings
from hypershift.local.cluster.state import Layout, Spec
from hypershift.local.controllers import await_rights
from hypershift.local.supervise.journal import Journal
from hypershift.local.units.resolver import REGISTRY_HOST

NAME = "provider"
FIRST_RETRY = 0.5
LONGEST_RETRY = 15.0
#: Those of others come with the cluster, and late in a new one.
KINDS = (kinds.LOCAL_MACHINE, kinds.LOCAL_CLUSTER, kinds.MACHINE, kinds.CAPI_CLUSTER)


def settings(where: Layout, spec: Spec, chosen: Settings) -> provider.Settings:
    """The provider's settings: hosted machines share the bridge and have a range of their own."""
    plan = spec.plan
    return provider.Settings(
        kubeconfig=where.kubeconfigs / "provider.kubeconfig",
        machines=where.hosted,
        trees=where.trees,
        scope=scope(spec),
        bridge=plan.bridge,
        network=plan.machines,
        pool=plan.hosted_machines,
        gateway=str(plan.gateway),
        resolvers=(str(plan.gateway),),
        network_v6=plan.machines_v6 if plan.ipv6 else None,
        gateway_v6=str(plan.gateway_v6) if plan.ipv6 else "",
        resolvers_v6=(str(plan.gateway_v6),) if plan.ipv6 else (),
        mtu=chosen.mtu,
        zones=tuple(zone_name(number) for number in range(spec.zones)),
        mirrors={REGISTRY_HOST: f"http://{plan.registry}"},
    )


def scope(spec: Spec) -> str:
    """The scope of the machines of hosted clusters."""
    return f"hosted{spec.index}"


async def keep_providing(
    told: provider.Settings, journal: Journal, guard: provider.Guard = provider.unguarded
) -> None:
    """Provide until cancelled; a failure is logged and followed by another attempt."""
    failures = 0
    while True:
        try:
            await _provide(told, journal, guard)
        except Exception as error:  # noqa: BLE001 - the supervisor outlives its controllers
            journal.say(NAME, "failed", error=str(error))
        await asyncio.sleep(min(LONGEST_RETRY, FIRST_RETRY * 2**failures))
        failures = min(failures + 1, 10)


async def _provide(told: provider.Settings, journal: Journal, guard: provider.Guard) -> None:
    async with Client.connect(told.kubeconfig) as client:
        await await_rights(client, KINDS)
    journal.say(NAME, "ready")
    await provider.provide(told, guard=guard)
