"""A proxy for nodes that may not reach the internet: a machine of ours or an endpoint service."""

import base64
import uuid
from collections.abc import Iterator
from typing import Any

from hypershift.infra.aws.look import Accounts, World, named
from hypershift.infra.aws.piece import AwsPiece, new, once, says
from hypershift.infra.aws.proxy_script import script
from hypershift.infra.aws.wanted import Wanted
from hypershift.infra.plan import Ids

PORT = 3128
IMAGE = "resolve:ssm:/aws/service/ami-amazon-linux-latest/amzn2-ami-hvm-x86_64-gp2"
PLAIN_TYPE, SECURE_TYPE = "t2.micro", "t3.medium"
SSH = {
    "IpProtocol": "tcp",
    "IpRanges": [{"CidrIp": "0.0.0.0/0"}],
    "FromPort": 22,
    "ToPort": 22,
}
NODES = {
    "IpProtocol": "-1",
    "IpRanges": [{"CidrIp": "10.0.0.0/8"}],
    "FromPort": -1,
    "ToPort": -1,
}


def pieces(wanted: Wanted, public_key: str) -> Iterator[AwsPiece]:
    """The security group, then the machine or the endpoint."""
    yield group(wanted)
    yield rules()
    yield endpoint(wanted) if wanted.proxy_service else host(wanted, public_key)


def group(wanted: Wanted) -> AwsPiece:
    name = wanted.named("proxy-sg")

    def make(aws: Accounts, ids: Ids) -> str:
        made = new(
            lambda: aws.owner.call(
                "ec2",
                "create_security_group",
                GroupName=name,
                Description="proxy security group",
                VpcId=ids["vpc"],
                TagSpecifications=wanted.spec("security-group", name),
            )
        )
        return str(made["GroupId"])

    return AwsPiece(
        "proxy-group",
        f"create security group {name}",
        lambda world, _: named(world.groups, name, "GroupId"),
        make,
        says("Created security group", name=name, id="{id}"),
        ("vpc",),
    )


def rules() -> AwsPiece:
    def find(world: World, ids: Ids) -> str | None:
        open_to = {
            each["CidrIp"]
            for group in world.groups
            if group["GroupId"] == ids["proxy-group"]
            for rule in group.get("IpPermissions") or ()
            for each in rule.get("IpRanges") or ()
        }
        wanted = {"0.0.0.0/0", "10.0.0.0/8"}
        return ids["proxy-group"] if wanted <= open_to else None

    def make(aws: Accounts, ids: Ids) -> str:
        for rule in (SSH, NODES):
            request: dict[str, Any] = {"GroupId": ids["proxy-group"], "IpPermissions": [rule]}
            once(
                lambda request=request: aws.owner.call(  # type: ignore[misc]
                    "ec2", "authorize_security_group_ingress", **request
                ),
                "InvalidPermission.Duplicate",
            )
        return ids["proxy-group"]

    return AwsPiece(
        "proxy-rules",
        "let SSH and the nodes reach the proxy",
        find,
        make,
        says("Authorized security group for proxy", id="{id}"),
        ("proxy-group",),
    )


def endpoint(wanted: Wanted) -> AwsPiece:
    name = wanted.named("http-proxy")
    zone = wanted.zones[0]
    subnet = f"{'public' if wanted.public_only else 'private'}-subnet-{zone}"

    def make(aws: Accounts, ids: Ids) -> str:
        made = new(
            lambda: aws.owner.call(
                "ec2",
                "create_vpc_endpoint",
                ServiceName=wanted.proxy_service,
                VpcId=ids["vpc"],
                SubnetIds=[ids[subnet]],
                SecurityGroupIds=[ids["proxy-group"]],
                VpcEndpointType="Interface",
                PrivateDnsEnabled=False,
                TagSpecifications=wanted.spec("vpc-endpoint", name),
            )
        )
        return str(made["VpcEndpoint"]["VpcEndpointId"])

    return AwsPiece(
        "proxy",
        f"create VPC endpoint {name} of {wanted.proxy_service}",
        lambda world, _: named(world.endpoints, name, "VpcEndpointId"),
        make,
        says("Created VPC endpoint for proxy", id="{id}"),
        ("vpc", "proxy-rules", "proxy-group", subnet),
    )


def host(wanted: Wanted, public_key: str) -> AwsPiece:
    name = wanted.named("http-proxy")
    subnet = f"public-subnet-{wanted.zones[0]}"
    program = script(public_key, secure=wanted.secure_proxy)
    token = str(uuid.uuid4())

    def make(aws: Accounts, ids: Ids) -> str:
        made = new(
            lambda: aws.owner.call(
                "ec2",
                "run_instances",
                ImageId=IMAGE,
                MinCount=1,
                MaxCount=1,
                ClientToken=token,
                InstanceType=SECURE_TYPE if wanted.secure_proxy else PLAIN_TYPE,
                UserData=program,
                NetworkInterfaces=[
                    {
                        "DeviceIndex": 0,
                        "AssociatePublicIpAddress": True,
                        "SubnetId": ids[subnet],
                        "Groups": [ids["proxy-group"]],
                    }
                ],
                TagSpecifications=wanted.spec("instance", name),
            )
        )
        return str(made["Instances"][0]["InstanceId"])

    return AwsPiece(
        "proxy",
        f"run proxy {name}",
        lambda world, _: named(world.instances, name, "InstanceId"),
        make,
        says("Created proxy host", id="{id}"),
        ("proxy-rules", "proxy-group", subnet),
    )


def encoded(key: bytes) -> str:
    return base64.b64encode(key).decode()
