"""`operator run` and its kin: one program, many roles, each started by its own command.

This is where roles are put together: Shared runs every role in the operator's process, Dedicated
runs the per-cluster ones in each control plane namespace.
"""

import logging
import socket
from collections.abc import Callable, Iterable
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hypershift.cli.command import Command, Run
from hypershift.cli.flags import BOOL, INT, STRING_ARRAY, STRING_MAP, Flag, Values, choice
from hypershift.component.infra import OPTIONAL_GROUPS
from hypershift.controlplane import catalog
from hypershift.kit import Secret, annotations_of
from hypershift.kube import Client, kinds
from hypershift.oci import read_pull_secret
from hypershift.operators import controlplane, guest_config, machine_approver
from hypershift.operators import hypershift as operator
from hypershift.operators.hypershift import Mode, Role, Service, Settings, Workbench, node_pool
from hypershift.release import Release, Releases
from hypershift.runtime import (
    Controller,
    Done,
    Leadership,
    Manager,
    Outcome,
    Scope,
    Stop,
    configure_logs,
    run_until_signal,
)
from hypershift.servers import ignition

CACHE = Path("/tmp/hypershift-releases")  # noqa: S108 - public content, checked by digest


@dataclass(frozen=True, slots=True)
class Lookup:
    """Releases as every role asks for them: by reference and pull secret."""

    releases: Releases

    async def lookup(self, image: str, pull_secret: Secret[bytes]) -> Release:
        """What a release image contains."""
        content = pull_secret.reveal()
        return await self.releases.find(image, read_pull_secret(content) if content else None)


# The roles


def control_planes(bench: Workbench) -> Iterable[Controller[Any]]:
    """HostedControlPlanes of every namespace, in the operator's own process."""
    given = bench.settings
    settings = controlplane.Settings(
        image=given.image, registry_overrides=given.registry_overrides, workers=given.workers
    )
    yield controlplane.controller(
        controlplane.Environment(
            settings, bench.releases, catalog, frozenset(bench.groups & OPTIONAL_GROUPS)
        )
    )


def node_pools(bench: Workbench) -> Iterable[Controller[Any]]:
    """NodePools of every cluster."""
    yield node_pool.controller(node_pool.Environment(bench.releases))


def guests(bench: Workbench) -> Iterable[Controller[Any]]:
    """What hosted clusters hold of ours."""
    return guest_config.controllers(bench.releases)


def approvals(bench: Workbench) -> Iterable[Controller[Any]]:
    """Certificates of machines."""
    del bench
    return machine_approver.controllers()


def ignition_settings(settings: Settings) -> ignition.Settings:
    """The one ignition server of all clusters."""
    return ignition.Settings(
        namespace=settings.namespace,
        service=settings.ignition_service,
        port=settings.ignition_port,
        registry_mirrors=settings.registry_mirrors,
    )


def ignition_tokens(bench: Workbench) -> Iterable[Controller[Any]]:
    """Tokens and payloads of machines."""
    return ignition.controllers(ignition_settings(bench.settings), bench.releases)


def ignition_server(bench: Workbench) -> AbstractAsyncContextManager[Any]:
    """The server that machines fetch their configuration from, in every replica."""
    return ignition.running(bench.client, bench.releases, ignition_settings(bench.settings))


MODE = "hypershift.openshift.io/mode"


async def leave_dedicated(scope: Scope) -> Outcome:
    """What belongs to a control plane with roles of its own is not touched from here."""
    planes = [scope.object]
    if scope.object.get("kind") != kinds.HOSTED_CONTROL_PLANE.kind:
        planes = await scope.kube.list(kinds.HOSTED_CONTROL_PLANE, scope.key.namespace)
    if any(annotations_of(plane).get(MODE) == Mode.DEDICATED for plane in planes):
        return Stop("Dedicated", "its own operators look after this control plane")
    return Done()


def shared(role: Role) -> Role:
    """The role, without the control planes that have one of their own."""

    def controllers(bench: Workbench) -> Iterable[Controller[Any]]:
        for one in role(bench):
            yield replace(
                one,
                normal=(leave_dedicated, *one.normal),
                delete=(leave_dedicated, *one.delete),
                paused=(leave_dedicated, *one.paused),
            )

    return controllers


def confined(one: Controller[Any], namespace: str) -> Controller[Any]:
    """The controller, looking at one namespace alone: a namespaced Role is all that it has."""
    watches = tuple(replace(watch, namespace=namespace) for watch in one.watches)
    return replace(one, namespace=namespace, watches=watches)


SHARED_ROLES: tuple[Role, ...] = (
    shared(control_planes),
    node_pools,
    shared(guests),
    shared(approvals),
    shared(ignition_tokens),
)
SHARED_SERVICES: tuple[Service, ...] = (ignition_server,)
DEDICATED_ROLES: tuple[Role, ...] = (node_pools,)


# The commands


async def run_operator(values: Values) -> None:
    """Run the HyperShift operator until a signal ends it."""
    _logs(values)
    settings = Settings(
        kubeconfig=_path(values["kubeconfig"]),
        namespace=values["namespace"],
        name=values["pod-name"],
        mode=Mode(values["mode"].capitalize()),
        image=values["control-plane-operator-image"],
        registry_mirrors=values["registry-mirror"],
        registry_overrides=values["registry-overrides"],
        egress_block_cidrs=values["hcp-egress-block-cidrs"],
        cluster_monitoring=values["enable-ocp-cluster-monitoring"],
        leader_election=values["leader-elect"],
        health_address=values["health-probe-addr"],
        ignition_port=values["ignition-port"],
    )
    shared = settings.mode is Mode.SHARED
    await operator.run(
        settings,
        _releases(values),
        SHARED_ROLES if shared else DEDICATED_ROLES,
        SHARED_SERVICES if shared else (),
    )


async def run_control_plane_operator(values: Values) -> None:
    """Run the operator of one control plane namespace until a signal ends it."""
    settings = controlplane.Settings(
        namespace=values["namespace"],
        image=values["control-plane-operator-image"],
        release=values["operate-on-release-image"],
        registry_overrides=values["registry-overrides"],
        image_overrides=values["image-overrides"],
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
    _logs(values)
    releases = _releases(values)
    async with (
        Client.connect(_path(values["kubeconfig"]), manager=name) as client,
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


def _releases(values: Values) -> Lookup:
    cache = _path(values["cache-dir"]) or CACHE
    return Lookup(Releases(cache, values["registry-mirror"], values["registry-overrides"]))


def _logs(values: Values) -> None:
    level = logging.DEBUG if values["debug"] else logging.INFO
    configure_logs(json=values["log-format"] == "json", level=level)


def _path(text: str) -> Path | None:
    return Path(text) if text else None


FORMAT = choice("string", ("json", "text"), lambda text: f"{text!r} is neither json nor text")
MODES = choice(
    "string",
    ("shared", "dedicated"),
    lambda text: f"{text!r} is neither shared nor dedicated",
)
COMMON = (
    Flag("kubeconfig", "Kubeconfig of the management cluster (default: the pod's own account)"),
    Flag("registry-mirror", "Where a registry is served: host=URL (repeatable)", STRING_MAP),
    Flag("registry-overrides", "Start of an image reference to replace: from=to", STRING_MAP),
    Flag("control-plane-operator-image", "The image of this program, for pods that it makes"),
    Flag(
        "leader-elect", "Lead before working, so that several replicas may run", BOOL, default=True
    ),
    Flag("cache-dir", "Where releases that were looked up are kept"),
    Flag("log-format", "json or text", FORMAT, default="json"),
    Flag("debug", "Log every step", BOOL),
)

HEALTH = Flag("health-probe-addr", "Where health and metrics are served", default="0.0.0.0:6060")
IGNITION_PORT = Flag("ignition-port", "The port of the ignition server", INT, default=9090)
POD_NAME = Flag("pod-name", "The name of this replica")

OPERATOR = Command(
    "operator",
    "The HyperShift operator",
    commands=(
        Command(
            "run",
            "Run the operator, in a pod or outside of the cluster",
            run=run_operator,
            flags=(
                Flag("namespace", "The operator's own namespace", default="hypershift"),
                Flag(
                    "mode",
                    "Where per-cluster roles run: shared (in this process) or dedicated",
                    MODES,
                    default="shared",
                ),
                Flag(
                    "hcp-egress-block-cidrs",
                    "Ranges that control planes must not reach (repeatable)",
                    STRING_ARRAY,
                ),
                Flag("enable-ocp-cluster-monitoring", "Let OpenShift scrape control planes", BOOL),
                POD_NAME,
                HEALTH,
                IGNITION_PORT,
                *COMMON,
            ),
        ),
    ),
)


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
