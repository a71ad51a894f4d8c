"""The commands of the roles of one control plane, each in a Deployment in its namespace."""

import os
from dataclasses import dataclass
from typing import Any

from hypershift import process
from hypershift.cli.command import Command
from hypershift.cli.flags import STRING_MAP, Flag
from hypershift.cli.roles.common import (
    COMMON,
    HEALTH,
    IGNITION_PORT,
    POD_NAME,
    CommonOptions,
    path_of,
    releases_of,
    start_logs,
    surroundings,
)
from hypershift.cli.roles.helpers import HELPERS
from hypershift.cli.typed import Typed
from hypershift.kit import go_duration
from hypershift.operators import controlplane, pki
from hypershift.servers import ignition


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceOptions(CommonOptions):
    """What every role of one control plane is given."""

    health_probe_addr: str
    namespace: str
    pod_name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ControlPlaneOptions(PlaceOptions):
    """What the operator of one control plane is given."""

    image_overrides: dict[str, str]
    operate_on_release_image: str


@dataclass(frozen=True, slots=True, kw_only=True)
class IgnitionOptions(PlaceOptions):
    """What the ignition server is given."""

    ignition_port: int


def place(options: PlaceOptions) -> process.Place:
    """Where the role runs, from its flags; configures logs."""
    start_logs(options)
    return process.Place(
        namespace=options.namespace,
        releases=releases_of(options),
        kubeconfig=path_of(options.kubeconfig),
        replica=options.pod_name,
        leader_election=options.leader_elect,
        health_address=options.health_probe_addr,
    )


async def run_control_plane_operator(options: ControlPlaneOptions) -> None:
    """Run the operator of one control plane namespace until a signal ends it."""
    settings = controlplane.Settings(
        namespace=options.namespace,
        image=options.control_plane_operator_image,
        release=options.operate_on_release_image,
        registry_overrides=options.registry_overrides,
        image_overrides=options.image_overrides,
        **surroundings(os.environ),
    )
    await process.run_control_plane_operator(place(options), settings)


async def run_guest_config(options: PlaceOptions) -> None:
    """Run the guest configuration of one control plane namespace until a signal ends it."""
    image = options.control_plane_operator_image
    await process.run_guest_config(place(options), image)


async def run_machine_approver(options: PlaceOptions) -> None:
    """Run the machine approver of one control plane namespace until a signal ends it."""
    await process.run_machine_approver(place(options))


async def run_ignition_server(options: IgnitionOptions) -> None:
    """Run the ignition server of one control plane namespace until a signal ends it."""
    namespace = options.namespace
    settings = ignition.Settings(
        namespace=namespace,
        control_plane=namespace,
        port=options.ignition_port,
        metrics_port=ignition.METRICS_PORT,
        registry_mirrors=options.registry_mirror,
    )
    await process.run_ignition_server(place(options), settings)


async def run_pki_operator(options: PlaceOptions) -> None:
    """Run the PKI operator of one control plane namespace until a signal ends it."""
    scale = go_duration(os.environ.get("CERT_ROTATION_SCALE") or "0s")
    await process.run_pki_operator(place(options), pki.Lifetimes(scale or pki.DAY))


def _role(
    name: str, summary: str, run: Typed[Any], *flags: Flag, helpers: tuple[Command, ...] = ()
) -> Command:
    namespace = Flag("namespace", "The control plane namespace", required=True)
    own = (namespace, POD_NAME, HEALTH, *flags, *COMMON)
    inner = Command("run", f"Run it for one control plane: {summary.lower()}", run=run, flags=own)
    return Command(name, summary, commands=(inner, *helpers))


CONTROL_PLANE_OPERATOR = _role(
    "control-plane-operator",
    "The operator of one control plane",
    Typed(ControlPlaneOptions, run_control_plane_operator),
    Flag("image-overrides", "Images to use instead: name=image", STRING_MAP),
    Flag("operate-on-release-image", "Leave control planes on other releases alone"),
    helpers=HELPERS,
)
HOSTED_CLUSTER_CONFIG_OPERATOR = _role(
    "hosted-cluster-config-operator",
    "What a hosted cluster holds of ours",
    Typed(PlaceOptions, run_guest_config),
)
MACHINE_APPROVER = _role(
    "machine-approver", "Certificates of machines", Typed(PlaceOptions, run_machine_approver)
)
PKI_OPERATOR = _role(
    "control-plane-pki-operator",
    "Break-glass signers of one control plane",
    Typed(PlaceOptions, run_pki_operator),
)
IGNITION_SERVER = _role(
    "ignition-server",
    "Configuration of machines",
    Typed(IgnitionOptions, run_ignition_server),
    IGNITION_PORT,
)
