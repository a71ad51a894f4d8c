"""NodePools on OpenStack: servers, their flavour, image and ports."""

from dataclasses import dataclass

from hypershift.cli.flags import BOOL, STRING_ARRAY, Flag
from hypershift.cli.nodepool.platform import PoolOptions, PoolPlatform, parameters, present
from hypershift.kit import Manifest, UsageError

PORT = "openstack-node-additional-port"
PORT_PARAMETERS = ("network-id", "vnic-type", "disable-port-security", "address-pairs")

FLAGS = (
    Flag(
        PORT,
        "A further port: network-id:ID,vnic-type:T,disable-port-security:BOOL,address-pairs:A-B",
        STRING_ARRAY,
    ),
    Flag("openstack-node-availability-zone", "Availability zone of the nodes"),
    Flag("openstack-node-flavor", "Flavour of the nodes"),
    Flag("openstack-node-image-name", "Boot image (the release's when not given)"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenStackMachine:
    """Flavour, image and ports of each server."""

    openstack_node_additional_port: tuple[str, ...]
    openstack_node_availability_zone: str
    openstack_node_flavor: str
    openstack_node_image_name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenStackPool(PoolOptions):
    """What `create nodepool openstack` is given."""

    machine: OpenStackMachine


def check(machine: OpenStackMachine) -> None:
    """Refuse what no server can be made of."""
    if not machine.openstack_node_flavor:
        raise UsageError("flavor is required")
    ports(machine)


def ports(machine: OpenStackMachine) -> list[Manifest]:
    """The additional ports in the form that the API has."""
    return [_port(text) for text in machine.openstack_node_additional_port]


def _port(text: str) -> Manifest:
    found = parameters(PORT, text, PORT_PARAMETERS)
    try:
        unsecured = BOOL.parse(found.get("disable-port-security", "false"))
    except ValueError as error:
        raise UsageError(
            f'failed to parse "--{PORT}" flag: failed to parse param "disable-port-security": '
            f"{error}"
        ) from None
    if not found.get("network-id"):
        raise UsageError(f"--{PORT} requires network-id to be set")
    pairs = found.get("address-pairs", "")
    port = {
        "allowedAddressPairs": [{"ipAddress": each} for each in pairs.split("-")] if pairs else [],
        "portSecurityPolicy": "Disabled" if unsecured else "",
        "vnicType": found.get("vnic-type", ""),
    }
    return {"network": {"id": found["network-id"]}, **present(port)}


def section(machine: OpenStackMachine) -> Manifest:
    """The section of a pool of such servers."""
    found = {
        "flavor": machine.openstack_node_flavor,
        "imageName": machine.openstack_node_image_name,
        "availabilityZone": machine.openstack_node_availability_zone,
        "additionalPorts": ports(machine),
    }
    return present(found)


PLATFORM = PoolPlatform(
    name="openstack",
    type="OpenStack",
    key="openstack",
    upgrade_type="Replace",
    flags=FLAGS,
    options=OpenStackPool,
    check=lambda options: check(options.machine),
    section=lambda options, _completed, _cluster: section(options.machine),
)
