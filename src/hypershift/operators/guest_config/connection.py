"""The phases that report whether control plane and nodes reach each other, each way by itself."""

import asyncio
from datetime import timedelta

from hypershift.api.conditions import (
    ALL_IS_WELL,
    ControlPlaneCondition,
    ControlPlaneReason,
    false,
    true,
    unknown,
)
from hypershift.kube import ApiError, Client, kinds
from hypershift.operators.guest_config.rules import catalog
from hypershift.operators.guest_config.rules.connection import control_plane_connection, is_record
from hypershift.operators.guest_config.scope import GuestScope
from hypershift.runtime import Done, Outcome, Wait

RETRY = timedelta(seconds=5)
PROBE_EVERY = timedelta(seconds=30)
PROBE_SECONDS = 5.0
AGENT = "konnectivity-agent"
_PHASE = (("status", "phase"),)
_UNREADABLE = f"failed to read {AGENT} logs from data plane"


async def probe_tunnel(scope: GuestScope) -> Outcome:
    """Tell whether the control plane reaches the nodes: read a log through the tunnel."""
    kind = ControlPlaneCondition.DATA_PLANE_CONNECTION_AVAILABLE
    if not scope.nodes:
        scope.conditions.set(
            unknown(kind, ControlPlaneReason.NO_WORKER_NODES, "No worker nodes available")
        )
        return Done()
    try:
        async with asyncio.timeout(PROBE_SECONDS):
            why = await _tunnel_problem(scope.inside)
    except TimeoutError:
        why = f"{_UNREADABLE}: no answer within {PROBE_SECONDS:g} s"
    except ApiError as error:
        why = f"{_UNREADABLE}: {cause(error)}"
    if why:
        # The original has one reason for both: no agent that runs, and none that answers.
        scope.conditions.set(
            false(kind, ControlPlaneReason.KONNECTIVITY_PODS_NOT_FOUND, why[:1000])
        )
        return Wait("TunnelDown", after=RETRY)
    scope.conditions.set(true(kind, ALL_IS_WELL))
    return Wait("ProbeAgain", after=PROBE_EVERY)


async def _tunnel_problem(guest: Client) -> str:
    pods = await guest.list(kinds.POD, catalog.SYSTEM, labels=f"app={AGENT}", only=_PHASE)
    running = [pod for pod in pods if (pod.get("status") or {}).get("phase") == "Running"]
    if not running:
        return f"Couldn't find any {AGENT} running in data plane"
    problem = ""
    for pod in running[:3]:
        try:
            await guest.logs(pod["metadata"]["name"], catalog.SYSTEM, tail=1, most=1024)
        except ApiError as error:
            problem = f"{_UNREADABLE}: {pod['metadata']['name']}: {cause(error)}"
        else:
            return ""
    return problem


def cause(error: ApiError) -> str:
    """What went wrong, without the address that was asked."""
    return str(error).rpartition('": ')[2]


async def read_connection_record(scope: GuestScope) -> Outcome:
    """Tell whether nodes reach the control plane: pods on them record when they last did."""
    ours = await scope.inside.list(kinds.CONFIG_MAP, catalog.SYSTEM, labels=catalog.OURS)
    record = next((one for one in ours if is_record(one)), None)
    scope.conditions.set(control_plane_connection(scope.nodes, record, scope.clock.now()))
    return Done()
