"""Pools of instances on OpenStack."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.platforms.openstack import OpenStackNetwork
from hypershift.api.shape import Field, Shape


class OpenStackNodePool(Shape):
    """Instances on OpenStack. A change rolls the nodes."""

    flavor: Annotated[str, Field("Flavor of the instances.", max_length=255)]
    additional_ports: Annotated[
        tuple[OpenStackPort, ...],
        Field("Further network ports of the instances, at most 10.", max_items=10),
    ] = ()
    availability_zone: Annotated[
        str | None,
        Field(
            "Availability zone of the nodes. Default: OpenStack's.",
            pattern="^[^: ]*$",
            min_length=1,
            max_length=63,
        ),
    ] = None
    image_name: Annotated[
        str | None,
        Field("Image to boot. Default: the release's, uploaded for you.", max_length=255),
    ] = None


class OpenStackPort(Shape):
    """A further network port."""

    allowed_address_pairs: Annotated[
        tuple[OpenStackAddressPair, ...],
        Field(
            "Addresses, besides its own, that may be used on the port; at most 10.", max_items=10
        ),
    ] = ()
    description: Annotated[str | None, Field("Note on the port.", max_length=255)] = None
    network: Annotated[OpenStackNetwork | None, Field("Network of the port.")] = None
    port_security_policy: Annotated[
        str | None,
        Field(
            (
                "Whether only known addresses may be used: `Enabled` or `Disabled`. Empty leaves"
                " it to the network."
            ),
            enum=("Enabled", "Disabled", ""),
        ),
    ] = None
    vnic_type: Annotated[
        str | None,
        Field(
            "Type of the port, for example `direct` for SR-IOV. Default: OpenStack's.",
            max_length=255,
        ),
    ] = None


class OpenStackAddressPair(Shape):
    """An address that may be used on a port."""

    ip_address: Annotated[str, Field("Address or range.", max_length=255)]
