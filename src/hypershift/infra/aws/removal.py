"""How each kind of object on AWS is removed, whether or not it is gone already."""

from typing import Any

from hypershift.cloud.aws import Account, AwsRefusal, Missing
from hypershift.infra.aws.look import Accounts
from hypershift.infra.destroy import Removal

AwsRemoval = Removal[Accounts]


def remove_if_present(account: Account, service: str, operation: str, **request: Any) -> None:
    """Remove something that may be gone already."""
    try:
        account.call(service, operation, **request)
    except Missing:
        return


def removal(
    kind: str,
    identity: str,
    operation: str,
    log: str,
    *,
    one: str = "",
    many: str = "",
    after: tuple[str, ...] = (),
    waits: str = "",
    cluster_account: bool = False,
) -> AwsRemoval:
    request: dict[str, Any] = {one: identity} if one else {many: [identity]}

    def act(aws: Accounts) -> None:
        remove_if_present(
            aws.cluster if cluster_account else aws.owner, "ec2", operation, **request
        )

    return Removal(identity, f"{kind} {identity}", act, log, {"id": identity}, after, waits)


def other(
    service: str, name: str, operation: str, request: dict[str, str], after: tuple[str, ...] = ()
) -> AwsRemoval:
    kind = operation.removeprefix("delete_").replace("_", " ")

    def act(aws: Accounts) -> None:
        remove_if_present(aws.owner, service, operation, **request)

    return Removal(name, f"{kind} {name}", act, f"Deleted {kind}", {"id": name}, after)


def service(service: dict[str, Any]) -> AwsRemoval:
    """An endpoint service: the connections of others are refused first."""
    identity = service["ServiceId"]

    def act(aws: Accounts) -> None:
        filters = [{"Name": "service-id", "Values": [identity]}]
        found = aws.owner.all(
            "ec2", "describe_vpc_endpoint_connections", "VpcEndpointConnections", Filters=filters
        )
        ends = [
            each["VpcEndpointId"]
            for each in found
            if each.get("VpcEndpointState", "").lower() not in {"rejected", "deleted", "deleting"}
        ]
        if ends:
            remove_if_present(
                aws.owner,
                "ec2",
                "reject_vpc_endpoint_connections",
                ServiceId=identity,
                VpcEndpointIds=ends,
            )
        remove_if_present(
            aws.owner, "ec2", "delete_vpc_endpoint_service_configurations", ServiceIds=[identity]
        )

    text = f"endpoint service {identity}"
    return Removal(identity, text, act, "Deleted VPC endpoint service", {"id": identity})


def gateway(gateway: dict[str, Any], after: tuple[str, ...]) -> AwsRemoval:
    identity = gateway["InternetGatewayId"]

    def act(aws: Accounts) -> None:
        for link in gateway.get("Attachments") or ():
            try:
                aws.owner.call(
                    "ec2",
                    "detach_internet_gateway",
                    InternetGatewayId=identity,
                    VpcId=link["VpcId"],
                )
            except AwsRefusal as error:
                if error.code not in {"Gateway.NotAttached", "InvalidInternetGatewayID.NotFound"}:
                    raise
        remove_if_present(aws.owner, "ec2", "delete_internet_gateway", InternetGatewayId=identity)

    text = f"internet gateway {identity}"
    return Removal(identity, text, act, "Deleted internet gateway", {"id": identity}, after)


def table(table: dict[str, Any], after: tuple[str, ...]) -> AwsRemoval:
    identity = table["RouteTableId"]

    def act(aws: Accounts) -> None:
        for link in table.get("Associations") or ():
            if link.get("SubnetId"):
                remove_if_present(
                    aws.owner,
                    "ec2",
                    "disassociate_route_table",
                    AssociationId=link["RouteTableAssociationId"],
                )
        remove_if_present(aws.owner, "ec2", "delete_route_table", RouteTableId=identity)

    text = f"route table {identity}"
    return Removal(identity, text, act, "Deleted route table", {"id": identity}, after)


def vpc(vpc: str, after: tuple[str, ...], *, cluster_account: bool = False) -> AwsRemoval:
    return removal(
        "VPC",
        vpc,
        "delete_vpc",
        "Deleted VPC",
        one="VpcId",
        after=after,
        cluster_account=cluster_account,
    )


def revoke(group: dict[str, Any]) -> Any:
    """Groups that name each other hold each other: all rules go first."""

    def act(aws: Accounts) -> None:
        for field, operation in (
            ("IpPermissions", "revoke_security_group_ingress"),
            ("IpPermissionsEgress", "revoke_security_group_egress"),
        ):
            if group.get(field):
                remove_if_present(
                    aws.owner,
                    "ec2",
                    operation,
                    GroupId=group["GroupId"],
                    IpPermissions=group[field],
                )

    return act
