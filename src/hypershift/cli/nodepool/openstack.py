"""NodePools on OpenStack: servers, their flavour, image and ports."""

from typing import Any

from hypershift.cli.flags import BOOL, STRING_ARRAY, Flag, Values
from hypershift.cli.nodepool.platform import PoolPlatform, parameters, present
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


def check(values: Values) -> None:
    if not values["openstack-node-flavor"]:
        raise UsageError("flavor is required")
    ports(values)


def ports(values: Values) -> list[Manifest]:
    """The additional ports in the form that the API has."""
    return [_port(text) for text in values[PORT]]


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


def section(values: Values, _completed: Any, _cluster: Manifest) -> Manifest:
    found = {
        "flavor": values["openstack-node-flavor"],
        "imageName": values["openstack-node-image-name"],
        "availabilityZone": values["openstack-node-availability-zone"],
        "additionalPorts": ports(values),
    }
    return present(found)


PLATFORM = PoolPlatform(
    name="openstack",
    type="OpenStack",
    key="openstack",
    summary="A pool of OpenStack servers",
    upgrade_type="Replace",
    flags=FLAGS,
    check=check,
    section=section,
)
