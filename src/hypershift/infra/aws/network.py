"""The VPC of a cluster: its options, gateways and subnets."""

from collections.abc import Iterator
from typing import Any

from hypershift.cloud.aws import Account
from hypershift.infra.aws.look import Accounts, World, name_of, named
from hypershift.infra.aws.piece import AwsPiece, new, once, says
from hypershift.infra.aws.removal import remove_if_present
from hypershift.infra.aws.wanted import Wanted, by_cluster
from hypershift.infra.plan import Ids
from hypershift.kit import TerminalError

#: The domain of machines in the oldest region; the others have theirs in it.
OLDEST_REGION, OLDEST_DOMAIN = "us-east-1", "ec2.internal"
ATTRIBUTES = (
    ("EnableDnsSupport", "Enabled DNS support on VPC"),
    ("EnableDnsHostnames", "Enabled DNS hostnames on VPC"),
)


def pieces(wanted: Wanted) -> Iterator[AwsPiece]:
    """The VPC with all that belongs to it as a whole, then its subnets."""
    yield vpc(wanted)
    for attribute, message in ATTRIBUTES:
        yield vpc_attribute(attribute, message)
    yield dhcp_options(wanted)
    yield dhcp_association()
    yield gateway(wanted)
    yield gateway_attachment()
    for place, zone in enumerate(wanted.zones):
        if not wanted.public_only:
            yield subnet(wanted, zone, place, private=True)
        yield subnet(wanted, zone, place, private=False)


def vpc(wanted: Wanted) -> AwsPiece:
    name = wanted.named("vpc")

    def make(aws: Accounts, _: Ids) -> str:
        made = aws.owner.call(
            "ec2", "create_vpc", CidrBlock=wanted.cidr, TagSpecifications=wanted.spec("vpc", name)
        )
        own = str(made["Vpc"]["VpcId"])
        _give_way(aws.owner, wanted.infra_id, name, own)
        return own

    return AwsPiece(
        "vpc",
        f"create VPC {name} ({wanted.cidr})",
        lambda world, _: named(world.vpcs, name, "VpcId"),
        make,
        says("Created VPC", id="{id}"),
    )


def _give_way(account: Account, infra_id: str, name: str, own: str) -> None:
    """Stop when another run made the VPC too since we looked: two networks would be mixed up.

    Of two runs at once the later one sees the other's VPC and deletes its own; if both see each
    other's, both stop. All else follows the VPC, so a run that gives way leaves nothing.
    """
    found = account.all("ec2", "describe_vpcs", "Vpcs", Filters=by_cluster(infra_id))
    others = sorted(each["VpcId"] for each in found if name_of(each) == name)
    if others in ([], [own]):
        return
    remove_if_present(account, "ec2", "delete_vpc", VpcId=own)
    other = next(each for each in others if each != own)
    raise TerminalError(
        f"VPC {other} of infra id {infra_id} was made at the same time, by another run or by a "
        "call whose answer was lost: run this command again when no other run is under way"
    )


def vpc_attribute(attribute: str, message: str) -> AwsPiece:
    wire = attribute[0].lower() + attribute[1:]

    def make(aws: Accounts, ids: Ids) -> str:
        change: dict[str, Any] = {"VpcId": ids["vpc"], attribute: {"Value": True}}
        new(lambda: aws.owner.call("ec2", "modify_vpc_attribute", **change))
        return ids["vpc"]

    return AwsPiece(
        wire,
        f"{message[0].lower()}{message[1:]}".replace("enabled", "enable"),
        lambda world, ids: ids["vpc"] if (ids["vpc"], wire) in world.attributes else None,
        make,
        says(message, id="{id}"),
        ("vpc",),
    )


def dhcp_options(wanted: Wanted) -> AwsPiece:
    domain = (
        OLDEST_DOMAIN if wanted.region == OLDEST_REGION else f"{wanted.region}.compute.internal"
    )

    def make(aws: Accounts, _: Ids) -> str:
        made = aws.owner.call(
            "ec2",
            "create_dhcp_options",
            DhcpConfigurations=[
                {"Key": "domain-name", "Values": [domain]},
                {"Key": "domain-name-servers", "Values": ["AmazonProvidedDNS"]},
            ],
            TagSpecifications=wanted.spec("dhcp-options"),
        )
        return str(made["DhcpOptions"]["DhcpOptionsId"])

    def find(world: World, _: Ids) -> str | None:
        found = sorted(each["DhcpOptionsId"] for each in world.dhcp_options)
        used = {each.get("DhcpOptionsId") for each in world.vpcs}
        return next((each for each in found if each in used), found[0] if found else None)

    return AwsPiece(
        "dhcp-options",
        f"create DHCP options (domain {domain})",
        find,
        make,
        says("Created DHCP options", id="{id}"),
        follows=("vpc",),
    )


def dhcp_association() -> AwsPiece:
    def find(world: World, ids: Ids) -> str | None:
        using = {each["VpcId"]: each.get("DhcpOptionsId") for each in world.vpcs}
        return ids["dhcp-options"] if using[ids["vpc"]] == ids["dhcp-options"] else None

    def make(aws: Accounts, ids: Ids) -> str:
        options = ids["dhcp-options"]
        new(
            lambda: aws.owner.call(
                "ec2", "associate_dhcp_options", DhcpOptionsId=options, VpcId=ids["vpc"]
            )
        )
        return options

    return AwsPiece(
        "dhcp-association",
        "associate DHCP options with VPC",
        find,
        make,
        says("Associated DHCP options with VPC", vpc="{vpc}", dhcp_options="{dhcp-options}"),
        ("vpc", "dhcp-options"),
    )


def gateway(wanted: Wanted) -> AwsPiece:
    name = wanted.named("igw")

    def make(aws: Accounts, _: Ids) -> str:
        made = aws.owner.call(
            "ec2",
            "create_internet_gateway",
            TagSpecifications=wanted.spec("internet-gateway", name),
        )
        return str(made["InternetGateway"]["InternetGatewayId"])

    return AwsPiece(
        "igw",
        f"create internet gateway {name}",
        lambda world, _: named(world.gateways, name, "InternetGatewayId"),
        make,
        says("Created internet gateway", id="{id}"),
        follows=("vpc",),
    )


def gateway_attachment() -> AwsPiece:
    def find(world: World, ids: Ids) -> str | None:
        attached = any(
            each["InternetGatewayId"] == ids["igw"] and link.get("VpcId") == ids["vpc"]
            for each in world.gateways
            for link in each.get("Attachments") or ()
        )
        return ids["igw"] if attached else None

    def make(aws: Accounts, ids: Ids) -> str:
        attach: dict[str, Any] = {"InternetGatewayId": ids["igw"], "VpcId": ids["vpc"]}
        once(
            lambda: aws.owner.call("ec2", "attach_internet_gateway", **attach),
            "Resource.AlreadyAssociated",
        )
        return ids["igw"]

    return AwsPiece(
        "igw-attachment",
        "attach internet gateway to VPC",
        find,
        make,
        says("Attached internet gateway to VPC", internet_gateway="{id}", vpc="{vpc}"),
        ("vpc", "igw"),
    )


def subnet(wanted: Wanted, zone: str, place: int, *, private: bool) -> AwsPiece:
    kind = "private" if private else "public"
    name, cidr = wanted.named(f"{kind}-{zone}"), wanted.subnet(place, private=private)
    tags = {"kubernetes.io/role/internal-elb" if private else "kubernetes.io/role/elb": "1"}
    if private or wanted.public_only:
        tags["karpenter.sh/discovery"] = wanted.infra_id

    def make(aws: Accounts, ids: Ids) -> str:
        made = new(
            lambda: aws.owner.call(
                "ec2",
                "create_subnet",
                AvailabilityZone=zone,
                VpcId=ids["vpc"],
                CidrBlock=cidr,
                TagSpecifications=wanted.spec("subnet", name, **tags),
            )
        )
        return str(made["Subnet"]["SubnetId"])

    return AwsPiece(
        f"{kind}-subnet-{zone}",
        f"create subnet {name} ({cidr})",
        lambda world, _: named(world.subnets, name, "SubnetId"),
        make,
        says("Created subnet", name=name, id="{id}"),
        ("vpc",),
    )
