"""The commands of the roles of one control plane, each in a Deployment in its namespace."""

import os

from hypershift import process
from hypershift.cli.command import Command, Run
from hypershift.cli.flags import STRING_MAP, Flag, Values
from hypershift.cli.roles.common import (
    COMMON,
    HEALTH,
    IGNITION_PORT,
    POD_NAME,
    path_of,
    releases_of,
    start_logs,
    surroundings,
)
from hypershift.cli.roles.helpers import HELPERS
from hypershift.kit import go_duration
from hypershift.operators import controlplane, pki
from hypershift.servers import ignition


def place(values: Values) -> process.Place:
    """Where the role runs, from its flags; configures logs."""
    start_logs(values)
    return process.Place(
        namespace=values["namespace"],
        releases=releases_of(values),
        kubeconfig=path_of(values["kubeconfig"]),
        replica=values["pod-name"],
        leader_election=values["leader-elect"],
        health_address=values["health-probe-addr"],
    )


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
    await process.run_control_plane_operator(place(values), settings)


async def run_guest_config(values: Values) -> None:
    """Run the guest configuration of one control plane namespace until a signal ends it."""
    image = values["control-plane-operator-image"]
    await process.run_guest_config(place(values), image)


async def run_machine_approver(values: Values) -> None:
    """Run the machine approver of one control plane namespace until a signal ends it."""
    await process.run_machine_approver(place(values))


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
    await process.run_ignition_server(place(values), settings)


async def run_pki_operator(values: Values) -> None:
    """Run the PKI operator of one control plane namespace until a signal ends it."""
    scale = go_duration(os.environ.get("CERT_ROTATION_SCALE") or "0s")
    await process.run_pki_operator(place(values), pki.Lifetimes(scale or pki.DAY))


def _role(
    name: str, summary: str, run: Run, *flags: Flag, helpers: tuple[Command, ...] = ()
) -> Command:
    namespace = Flag("namespace", "The control plane namespace", required=True)
    own = (namespace, POD_NAME, HEALTH, *flags, *COMMON)
    inner = Command("run", f"Run it for one control plane: {summary.lower()}", run=run, flags=own)
    return Command(name, summary, commands=(inner, *helpers))


CONTROL_PLANE_OPERATOR = _role(
    "control-plane-operator",
    "The operator of one control plane",
    run_control_plane_operator,
    Flag("image-overrides", "Images to use instead: name=image", STRING_MAP),
    Flag("operate-on-release-image", "Leave control planes on other releases alone"),
    helpers=HELPERS,
)
HOSTED_CLUSTER_CONFIG_OPERATOR = _role(
    "hosted-cluster-config-operator", "What a hosted cluster holds of ours", run_guest_config
)
MACHINE_APPROVER = _role("machine-approver", "Certificates of machines", run_machine_approver)
PKI_OPERATOR = _role(
    "control-plane-pki-operator", "Break-glass signers of one control plane", run_pki_operator
)
IGNITION_SERVER = _role(
    "ignition-server", "Configuration of machines", run_ignition_server, IGNITION_PORT
)
