"""Which permissions a caller lacks for a network, asked by dry runs: nothing is made."""

from functools import partial
from typing import Any

from hypershift.cloud.aws import (
    Account,
    AwsRefusal,
    AwsUnavailable,
    CredentialsRefused,
    NotPermitted,
)
from hypershift.infra.aws.questions import side_by_side
from hypershift.infra.aws.wanted import Wanted

#: What an id of EC2 ends in that belongs to nothing.
NOBODY = "0" * 17
ANYWHERE = "0.0.0.0/0"


def missing_permissions(account: Account, wanted: Wanted) -> list[str]:
    """One sentence for each kind of object that the caller may not make.

    Most objects are made in others that are not there yet, and AWS may refuse a dry run for that
    reason: only its word for a missing permission counts, anything else proves nothing.
    """
    asked = requests(wanted)
    said = side_by_side(
        {name: partial(_denial, account, name, each) for name, each in asked.items()}
    )
    return [each for each in said.values() if each]


def requests(wanted: Wanted) -> dict[str, dict[str, Any]]:
    """The calls that make a network's objects, each once."""
    vpc, table = f"vpc-{NOBODY}", f"rtb-{NOBODY}"
    found: dict[str, dict[str, Any]] = {
        "create_vpc": {"CidrBlock": wanted.cidr, "TagSpecifications": wanted.spec("vpc")},
        "create_dhcp_options": {
            "DhcpConfigurations": [{"Key": "domain-name", "Values": ["ec2.internal"]}],
            "TagSpecifications": wanted.spec("dhcp-options"),
        },
        "create_internet_gateway": {"TagSpecifications": wanted.spec("internet-gateway")},
        "create_subnet": {
            "VpcId": vpc,
            "CidrBlock": wanted.cidr,
            "TagSpecifications": wanted.spec("subnet"),
        },
        "create_route_table": {"VpcId": vpc, "TagSpecifications": wanted.spec("route-table")},
        "create_route": {
            "RouteTableId": table,
            "DestinationCidrBlock": ANYWHERE,
            "GatewayId": f"igw-{NOBODY}",
        },
        "create_vpc_endpoint": {
            "VpcId": vpc,
            "ServiceName": f"com.amazonaws.{wanted.region}.s3",
            "RouteTableIds": [table],
            "TagSpecifications": wanted.spec("vpc-endpoint"),
        },
    }
    if not wanted.public_only and not wanted.has_proxy:
        found["allocate_address"] = {
            "Domain": "vpc",
            "TagSpecifications": wanted.spec("elastic-ip"),
        }
        found["create_nat_gateway"] = {
            "SubnetId": f"subnet-{NOBODY}",
            "AllocationId": f"eipalloc-{NOBODY}",
            "TagSpecifications": wanted.spec("natgateway"),
        }
    return found


def _denial(account: Account, operation: str, request: dict[str, Any]) -> str:
    try:
        account.call("ec2", operation, DryRun=True, **request)
    except NotPermitted as error:
        return str(error)
    except CredentialsRefused:
        raise
    except (AwsRefusal, AwsUnavailable):
        return ""
    return ""
