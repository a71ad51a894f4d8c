"""The roles of one control plane, each in a Deployment of its own in that namespace."""

import os
import socket
from collections.abc import Callable, Iterable
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import Any

from hypershift.cli.command import Command, Run
from hypershift.cli.flags import STRING_MAP, Flag, Values
from hypershift.cli.roles.common import (
    COMMON,
    HEALTH,
    IGNITION_PORT,
    POD_NAME,
    Lookup,
    path_of,
    releases_of,
    start_logs,
    surroundings,
)
from hypershift.cli.roles.compose import confined
from hypershift.controlplane import catalog
from hypershift.kube import Client
from hypershift.operators import controlplane, guest_config, machine_approver
from hypershift.operators import hypershift as operator
from hypershift.runtime import Controller, Leadership, Manager, run_until_signal
from hypershift.servers import ignition


async def run_control_plane_operator(values: Values) -> None:
    """Run the operator of one control plane namespace until a signal ends it."""
    settings = controlplane.Settings(
        namespace=values["namespace"],
        image=values["control-plane-operator-image"],
        release=values["operate-on-release-image"],
        registry_overrides=values["registry-overrides"],
        image_overrides=values["image-overrides"],
        **surroundings(os.environ),
    )

    async def controllers(client: Client, releases: Lookup) -> Iterable[Controller[Any]]:
        groups = await operator.served_groups(client)
        environment = controlplane.Environment(settings, releases, catalog, groups)
        return (controlplane.controller(environment),)

    await _run_role(values, "control-plane-operator", controllers)


async def run_guest_config(values: Values) -> None:
    """Run the guest configuration of one control plane namespace until a signal ends it."""

    async def controllers(client: Client, releases: Lookup) -> Iterable[Controller[Any]]:
        del client
        return guest_config.controllers(releases, values["namespace"])

    await _run_role(values, "hosted-cluster-config-operator", controllers)


async def run_machine_approver(values: Values) -> None:
    """Run the machine approver of one control plane namespace until a signal ends it."""

    async def controllers(client: Client, releases: Lookup) -> Iterable[Controller[Any]]:
        del client, releases
        return machine_approver.controllers(values["namespace"])

    await _run_role(values, "machine-approver", controllers)


async def run_ignition_server(values: Values) -> None:
    """Run the ignition server of one control plane namespace until a signal ends it."""
    namespace = values["namespace"]
    settings = ignition.Settings(
        namespace=namespace,
        control_plane=namespace,
        port=values["ignition-port"],
        metrics_port=ignition.METRICS_PORT,
        registry_mirrors=values["registry-mirror"],
    )

    async def controllers(client: Client, releases: Lookup) -> Iterable[Controller[Any]]:
        del client
        return ignition.controllers(settings, releases)

    def server(client: Client, releases: Lookup) -> AbstractAsyncContextManager[Any]:
        return ignition.running(client, releases, settings)

    await _run_role(values, "ignition-server", controllers, server)


Serve = Callable[[Client, Lookup], AbstractAsyncContextManager[Any]]


async def _run_role(
    values: Values, name: str, controllers: Any, serve: Serve = lambda *_: nullcontext()
) -> None:
    """Run one role of one control plane namespace, as its leader when there are several."""
    start_logs(values)
    releases = releases_of(values)
    async with (
        Client.connect(path_of(values["kubeconfig"]), manager=name) as client,
        serve(client, releases),
    ):
        leadership = None
        if values["leader-elect"]:
            identity = values["pod-name"] or socket.gethostname()
            lease = f"{name}-leader-elect"
            leadership = Leadership(lease, values["namespace"], identity, *operator.ELECTION)
        host, _, port = values["health-probe-addr"].rpartition(":")
        wanted = await controllers(client, releases)
        manager = Manager(
            client,
            [confined(one, values["namespace"]) for one in wanted],
            leadership=leadership,
            probes=(host, int(port)),
        )
        await run_until_signal(manager)


def _role(name: str, summary: str, run: Run, *flags: Flag) -> Command:
    namespace = Flag("namespace", "The control plane namespace", required=True)
    own = (namespace, POD_NAME, HEALTH, *flags, *COMMON)
    inner = Command("run", f"Run it for one control plane: {summary.lower()}", run=run, flags=own)
    return Command(name, summary, commands=(inner,))


CONTROL_PLANE_OPERATOR = _role(
    "control-plane-operator",
    "The operator of one control plane",
    run_control_plane_operator,
    Flag("image-overrides", "Images to use instead: name=image", STRING_MAP),
    Flag("operate-on-release-image", "Leave control planes on other releases alone"),
)
HOSTED_CLUSTER_CONFIG_OPERATOR = _role(
    "hosted-cluster-config-operator", "What a hosted cluster holds of ours", run_guest_config
)
MACHINE_APPROVER = _role("machine-approver", "Certificates of machines", run_machine_approver)
IGNITION_SERVER = _role(
    "ignition-server", "Configuration of machines", run_ignition_server, IGNITION_PORT
)
