"""Pools of instances on Amazon Web Services."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.platforms.aws import AWSFilter, AWSResourceReference, AWSResourceTag
from hypershift.api.shape import Field, Int64, Rule, Shape, constrained


class AWSNodePool(Shape):
    """Instances on AWS. A change rolls the nodes."""

    instance_type: Annotated[
        str, Field("EC2 instance type, for example m6i.xlarge.", max_length=255)
    ]
    subnet: Annotated[AWSSubnetReference, Field("Subnet of the nodes.")]
    ami: Annotated[
        str | None,
        Field(
            "Id of the image to boot. Default: the release's image for the region.", max_length=255
        ),
    ] = None
    image_type: Annotated[
        str | None,
        Field(
            (
                "Operating system that the image is for: `Linux`, or `Windows` for a Windows"
                " image with license (needs arch amd64). Default Linux."
            ),
            enum=("Windows", "Linux"),
        ),
    ] = None
    instance_profile: Annotated[
        str | None,
        Field("IAM instance profile of the nodes. Default: the cluster's.", max_length=255),
    ] = None
    placement: Annotated[
        Placement | None, Field("Where instances run and how they are paid for.")
    ] = None
    resource_tags: Annotated[
        tuple[AWSResourceTag, ...],
        Field("Tags on instances and volumes, at most 25, besides the cluster's.", max_items=25),
    ] = ()
    root_volume: Annotated[
        AWSVolume | None, Field("Root disk. Default: the Cluster API provider's.")
    ] = None
    security_groups: Annotated[
        tuple[AWSResourceReference, ...],
        Field(
            "Security groups of the nodes, at most 50. Default: the cluster's default group.",
            max_items=50,
        ),
    ] = ()


@constrained(
    Rule(
        "has(self.tenancy) && self.tenancy == 'host' ? !has(self.capacityReservation) : true",
        "AWS Capacity Reservations cannot be used with Dedicated Hosts (tenancy 'host')",
    ),
    Rule(
        "!has(self.marketType) || self.marketType != 'Spot' || !has(self.capacityReservation)",
        "Spot instances cannot be combined with Capacity Reservations",
    ),
    Rule(
        (
            "!has(self.marketType) || self.marketType != 'Spot' ||"
            " !has(self.tenancy) || self.tenancy == 'default'"
        ),
        "Spot instances require default tenancy or unset",
    ),
    Rule(
        (
            "!has(self.marketType) || self.marketType != 'CapacityBlocks' ||"
            " has(self.capacityReservation)"
        ),
        "CapacityBlocks market type requires capacityReservation to be specified",
    ),
    Rule(
        "!has(self.spot) || (has(self.marketType) && self.marketType == 'Spot')",
        "spot options can only be specified when marketType is 'Spot'",
    ),
)
class Placement(Shape):
    """Where instances run and how they are paid for."""

    capacity_reservation: Annotated[
        CapacityReservation | None,
        Field("Reserved capacity to use. Not with Spot, nor on dedicated hosts."),
    ] = None
    market_type: Annotated[
        str | None,
        Field(
            (
                "`OnDemand`, `Spot` (cheap, may be taken away) or `CapacityBlocks` (needs a"
                " reservation). Empty means OnDemand."
            ),
            enum=("", "OnDemand", "Spot", "CapacityBlocks"),
        ),
    ] = None
    spot: Annotated[
        Spot | None, Field("Settings of spot instances; only with `marketType: Spot`.")
    ] = None
    tenancy: Annotated[
        str | None,
        Field(
            (
                "`default` shares hardware, `dedicated` does not, `host` uses dedicated hosts."
                " Default: default."
            ),
            enum=("default", "dedicated", "host"),
        ),
    ] = None


@constrained(
    Rule(
        "has(self.id) ? (!has(self.preference) || !(self.preference in ['Open','None'])) : true",
        (
            "AWS Capacity Reservation preference 'None' or 'Open' is incompatible"
            " with specifying a Capacity Reservation ID"
        ),
    ),
    Rule(
        "has(self.marketType) && self.marketType == 'CapacityBlocks' ? has(self.id) : true",
        (
            "AWS Capacity Reservation market type 'CapacityBlocks' requires a"
            " Capacity Reservation ID"
        ),
    ),
)
class CapacityReservation(Shape):
    """Reserved capacity on AWS."""

    id: Annotated[
        str | None,
        Field(
            "Id of the reservation, `cr-` and 17 hexadecimal digits. Unset uses any that fits.",
            max_length=20,
            rules=(
                Rule(
                    "self.matches('^cr-[a-f0-9]{17}$')",
                    (
                        "AWS Capacity Reservation ID must start with 'cr-' followed by 17"
                        " lowercase hexadecimal characters (e.g., cr-0123456789abcdef0)"
                    ),
                ),
            ),
        ),
    ] = None
    market_type: Annotated[
        str | None,
        Field(
            "`OnDemand` or `CapacityBlocks`; the latter needs `id`.",
            enum=("OnDemand", "CapacityBlocks"),
        ),
    ] = None
    preference: Annotated[
        str | None,
        Field(
            (
                "Without an id: `Open` uses a reservation that fits if there is one,"
                " `CapacityReservationsOnly` nothing else, `None` never. Empty means Open."
            ),
            enum=("", "None", "CapacityReservationsOnly", "Open"),
        ),
    ] = None


class Spot(Shape):
    """Settings of spot instances."""

    max_price: Annotated[
        str | None,
        Field(
            (
                "Most to pay per hour, in US dollars, for example 0.05. Default: the on-demand"
                " price."
            ),
            pattern=r"^[0-9]+(\.[0-9]+)?$",
            min_length=1,
            max_length=20,
        ),
    ] = None


class AWSVolume(Shape):
    """A disk on AWS."""

    size: Annotated[Int64, Field("Size in GiB, at least 8.", minimum=8)]
    type: Annotated[str, Field("Type of the volume, for example gp3.", max_length=255)]
    encrypted: Annotated[
        bool | None, Field("Whether it is encrypted. Default: the account's setting.")
    ] = None
    encryption_key: Annotated[
        str | None, Field("KMS key to encrypt with. Default: the account's.", max_length=2048)
    ] = None
    iops: Annotated[
        Int64 | None,
        Field("Operations per second; required for types io1 and io2, ignored for gp2."),
    ] = None


@constrained(
    Rule(
        (
            "has(self.id) && self.id.startsWith('subnet-') ? !has(self.filters) :"
            " size(self.filters) > 0"
        ),
        "subnet is invalid, a valid subnet id or filters must be set, but not both",
    ),
)
class AWSSubnetReference(Shape):
    """A subnet on AWS, by id or by filters; one of them is needed."""

    filters: Annotated[
        tuple[AWSFilter, ...],
        Field("Filters that find it, all of which must match; at most 50.", max_items=50),
    ] = ()
    id: Annotated[str | None, Field("Its id, `subnet-...`.", max_length=255)] = None
