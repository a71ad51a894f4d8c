"""A bastion: one machine with a public address in a cluster's network, reached by SSH.

Everything is found by its name before it is made, so that a run that stopped is repeated.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from hypershift.cloud.aws import Account, AwsRefusal, AwsUnavailable, Missing
from hypershift.infra.apply import Progress
from hypershift.infra.aws.look import name_of, tagged
from hypershift.infra.aws.piece import once
from hypershift.infra.aws.wanted import by_cluster, cluster_tag
from hypershift.kit import Clock, TerminalError, UsageError

TYPE = "t2.micro"
SSH = {
    "IpProtocol": "tcp",
    "FromPort": 22,
    "ToPort": 22,
    "IpRanges": [{"CidrIp": "0.0.0.0/0", "Description": "SSH"}],
}
#: The newest image of Amazon Linux 2, where no image of this form is listed.
FALLBACK = "resolve:ssm:/aws/service/ami-amazon-linux-latest/amzn2-ami-hvm-x86_64-gp2"
IMAGES = "amzn2-ami-hvm-*-x86_64-gp2"
PATIENCE, LOOK = 120.0, 5.0
_GONE = ("terminated", "shutting-down")


@dataclass(frozen=True)
class Bastion:
    """The bastion of a cluster."""

    infra_id: str
    tags: dict[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return f"{self.infra_id}-bastion"

    @property
    def group(self) -> str:
        return f"{self.infra_id}-bastion-sg"

    def spec(self, kind: str, name: str) -> list[dict[str, Any]]:
        """The tags of something new."""
        tags = {**self.tags, cluster_tag(self.infra_id): "owned", "Name": name}
        listed = [{"Key": key, "Value": value} for key, value in tags.items()]
        return [{"ResourceType": kind, "Tags": listed}]


async def create_bastion(
    account: Account, wanted: Bastion, public_key: bytes, *, log: Progress, clock: Clock, wait: bool
) -> tuple[str, str]:
    """Make what is missing; the id and, when it was waited for, the public address."""
    instance = await asyncio.to_thread(_make, account, wanted, public_key, log)
    if not wait:
        return instance, ""

    async def address() -> str:
        found = await asyncio.to_thread(_instance, account, wanted)
        running = found is not None and found["State"]["Name"] == "running"
        return str(found.get("PublicIpAddress") or "") if found and running else ""

    return instance, await _until(clock, address, f"bastion {instance} does not run")


async def destroy_bastion(
    account: Account, wanted: Bastion, *, log: Progress, clock: Clock
) -> None:
    """Remove instance, security group and key, in this order; what is gone is passed over."""

    async def gone() -> bool:
        found = await asyncio.to_thread(_instance, account, wanted)
        if found is None:
            return True
        if found["State"]["Name"] not in _GONE:
            request = {"InstanceIds": [found["InstanceId"]]}
            await asyncio.to_thread(account.call, "ec2", "terminate_instances", **request)
            log("Terminating bastion instance", id=found["InstanceId"])
        return False

    await _until(clock, gone, f"bastion {wanted.name} does not end")
    if group := await asyncio.to_thread(_group, account, wanted):
        await _until(clock, lambda: _without_group(account, group), f"{group} is in use")
        log("Deleted bastion security group", id=group)
    await asyncio.to_thread(account.call, "ec2", "delete_key_pair", KeyName=wanted.name)
    log("Deleted bastion key pair", name=wanted.name)


def _make(account: Account, wanted: Bastion, public_key: bytes, log: Progress) -> str:
    subnet, vpc = _subnet(account, wanted)
    _key_pair(account, wanted, public_key, log)
    group = _group(account, wanted) or _new_group(account, wanted, vpc, log)
    once(
        lambda: account.call(
            "ec2", "authorize_security_group_ingress", GroupId=group, IpPermissions=[SSH]
        ),
        "InvalidPermission.Duplicate",
    )
    if found := _instance(account, wanted):
        log("Found existing bastion instance", id=found["InstanceId"])
        return str(found["InstanceId"])
    made = account.call(
        "ec2",
        "run_instances",
        ImageId=_image(account),
        InstanceType=TYPE,
        MinCount=1,
        MaxCount=1,
        KeyName=wanted.name,
        NetworkInterfaces=[
            {
                "DeviceIndex": 0,
                "AssociatePublicIpAddress": True,
                "SubnetId": subnet,
                "Groups": [group],
            }
        ],
        TagSpecifications=wanted.spec("instance", wanted.name),
    )
    instance = str(made["Instances"][0]["InstanceId"])
    log("Created bastion instance", id=instance, name=wanted.name)
    return instance


def _key_pair(account: Account, wanted: Bastion, public_key: bytes, log: Progress) -> None:
    try:
        account.call("ec2", "describe_key_pairs", KeyNames=[wanted.name])
    except Missing:
        request = {"KeyName": wanted.name, "PublicKeyMaterial": public_key}
        tags = wanted.spec("key-pair", wanted.name)
        once(
            lambda: account.call("ec2", "import_key_pair", **request, TagSpecifications=tags),
            "InvalidKeyPair.Duplicate",
        )
        log("Created bastion key pair", name=wanted.name)


def _subnet(account: Account, wanted: Bastion) -> tuple[str, str]:
    """A public subnet of the cluster, and its VPC."""
    subnets = tagged(account, wanted.infra_id)["subnets"]()
    public = [each for each in subnets if name_of(each).startswith(f"{wanted.infra_id}-public-")]
    if not public:
        raise UsageError(
            f"no subnet named {wanted.infra_id}-public-* is in {account.region}: a bastion needs a "
            "public subnet of the cluster"
        )
    first = min(public, key=name_of)
    return str(first["SubnetId"]), str(first["VpcId"])


def _group(account: Account, wanted: Bastion) -> str:
    filters = [*by_cluster(wanted.infra_id), {"Name": "group-name", "Values": [wanted.group]}]
    found = account.all("ec2", "describe_security_groups", "SecurityGroups", Filters=filters)
    return str(found[0]["GroupId"]) if found else ""


def _new_group(account: Account, wanted: Bastion, vpc: str, log: Progress) -> str:
    made = account.call(
        "ec2",
        "create_security_group",
        GroupName=wanted.group,
        Description="bastion security group",
        VpcId=vpc,
        TagSpecifications=wanted.spec("security-group", wanted.group),
    )
    log("Created bastion security group", id=made["GroupId"], name=wanted.group)
    return str(made["GroupId"])


def _instance(account: Account, wanted: Bastion) -> dict[str, Any] | None:
    """The bastion that is not terminated."""
    filters = [*by_cluster(wanted.infra_id), {"Name": "tag:Name", "Values": [wanted.name]}]
    found = account.all("ec2", "describe_instances", "Reservations", Filters=filters)
    every = (each for reservation in found for each in reservation["Instances"])
    return next((each for each in every if each["State"]["Name"] != "terminated"), None)


def _image(account: Account) -> str:
    filters = [{"Name": "name", "Values": [IMAGES]}, {"Name": "state", "Values": ["available"]}]
    found = account.all("ec2", "describe_images", "Images", Owners=["amazon"], Filters=filters)
    newest = max(found, key=lambda each: str(each.get("CreationDate", "")), default=None)
    return str(newest["ImageId"]) if newest else FALLBACK


async def _without_group(account: Account, group: str) -> bool:
    try:
        await asyncio.to_thread(account.call, "ec2", "delete_security_group", GroupId=group)
    except Missing:
        return True
    except AwsRefusal as error:
        if error.code == "DependencyViolation":
            return False
        raise
    return True


async def _until(clock: Clock, ask: Callable[[], Awaitable[Any]], otherwise: str) -> Any:
    """Ask again until there is an answer, for two minutes; AWS may fail meanwhile."""
    end, trouble = clock.monotonic() + PATIENCE, ""
    while True:
        try:
            if answer := await ask():
                return answer
        except AwsUnavailable as error:
            trouble = f": {error}"
        if clock.monotonic() >= end:
            raise TerminalError(
                f"{otherwise} after {PATIENCE:.0f} s{trouble}; run the same command again"
            )
        await clock.sleep(LOOK)
