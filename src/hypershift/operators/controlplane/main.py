"""Runs the operator of one control plane namespace, or of all, as a process of its own."""

import json
import socket
from collections.abc import Callable, Sequence

from hypershift.component import Component
from hypershift.kube import Client
from hypershift.operators.controlplane.controller import controller
from hypershift.operators.controlplane.scope import Environment, Releases
from hypershift.operators.controlplane.settings import Settings
from hypershift.release import Product
from hypershift.runtime import Leadership, Manager, run_until_signal

LEASE = "control-plane-operator-leader-elect"


async def run(
    settings: Settings, releases: Releases, catalog: Callable[[Product], Sequence[Component]]
) -> None:
    """Run until a signal asks for the end."""
    async with Client.connect(settings.kubeconfig, manager="control-plane-operator") as client:
        answer = json.loads(await client.raw("GET", "/apis"))
        groups = frozenset(group["name"] for group in answer.get("groups") or ())
        environment = Environment(settings, releases, catalog, groups)
        leadership = None
        if settings.leader_election:
            identity = settings.name or socket.gethostname()
            leadership = Leadership(LEASE, settings.namespace, identity)
        host, _, port = settings.health_address.rpartition(":")
        probes = (host, int(port)) if port else None
        await run_until_signal(
            Manager(client, [controller(environment)], leadership=leadership, probes=probes)
        )
