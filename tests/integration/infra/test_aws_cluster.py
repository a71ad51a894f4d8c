"""`create cluster aws` and `destroy cluster aws` whole, against AWS and a management cluster."""

import asyncio
import random
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml
from tests.cloud.aws.faults import Fault, Faults
from tests.cloud.aws.management import Management
from tests.cloud.aws.runs import ZONES, Hasty
from tests.cloud.aws.server import Cloud

from hypershift.api import annotations
from hypershift.api.finalizers import DESTROY_FINALIZER
from hypershift.cli.clouds.aws import cluster as destroying
from hypershift.cli.clouds.aws import consoles, iam
from hypershift.cli.clouds.aws import infra as networks
from hypershift.cli.cluster import create
from hypershift.cli.cluster.aws import making
from hypershift.cli.main import HYPERSHIFT, execute
from hypershift.kube import kinds

pytestmark = pytest.mark.integration

DESTROY = ["destroy", "cluster", "aws", "--name=demo"]
ROLES = 8


@pytest.fixture
async def management(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Management:
    own = Management()
    for module in (consoles, create, destroying, iam, making):
        monkeypatch.setattr(module, "management", own.connect)
    for module in (destroying, making, networks):
        monkeypatch.setattr(module, "SystemClock", Hasty)
    (tmp_path / "kubeconfig").write_text("{}")
    (tmp_path / "pull-secret").write_text("{}")
    monkeypatch.setenv("KUBECONFIG", str(tmp_path / "kubeconfig"))
    monkeypatch.chdir(tmp_path)
    await own.client.create(
        {
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": {"name": iam.BUCKET_CONFIG, "namespace": iam.BUCKET_NAMESPACE},
            "data": {"name": "docs", "region": "us-east-1"},
        }
    )
    return own


def creation(*more: str, zones: tuple[str, ...] = ZONES[:2]) -> list[str]:
    return [
        *("create", "cluster", "aws", "--name=demo", "--base-domain=example.com"),
        *("--infra-id=demo-abcde", f"--zones={','.join(zones)}", "--node-pool-replicas=1"),
        *("--pull-secret=pull-secret", "--release-image=example.com/release:1", *more),
    ]


def denying(operation: str) -> Faults:
    """The caller lacks one permission."""
    return Faults(random.Random(0), fatal="denied", only=operation)  # noqa: S311


@dataclass(slots=True)
class Denying(Faults):
    """The caller lacks several permissions."""

    lacks: tuple[str, ...] = ()

    def next(self, name: str) -> Fault | None:
        return Fault("denied") if name in self.lacks else None


async def run(words: list[str]) -> int:
    """One command line, in a thread because it brings its own event loop."""
    return await asyncio.to_thread(execute, HYPERSHIFT, words)


async def test_a_cluster_is_made_whole_and_leaves_nothing(
    aws: Cloud, management: Management
) -> None:
    before = aws.inventory()
    assert await run(creation()) == 0
    assert aws.inventory()["vpcs"] == 1
    assert aws.inventory()["roles"] == ROLES
    cluster = await management.client.get(kinds.HOSTED_CLUSTER, "demo", "clusters")
    assert cluster["spec"]["infraID"] == "demo-abcde"
    assert cluster["spec"]["issuerURL"] == "https://docs.s3.us-east-1.amazonaws.com/demo-abcde"
    platform = cluster["spec"]["platform"]["aws"]
    assert platform["rolesRef"]["nodePoolManagementARN"].endswith("role/demo-abcde-node-pool")
    pools = await management.client.list(kinds.NODE_POOL, "clusters")
    subnets = {each["metadata"]["name"]: each["spec"]["platform"]["aws"] for each in pools}
    assert set(subnets) == {"demo-us-east-1a", "demo-us-east-1b"}
    assert len({each["subnet"]["id"] for each in subnets.values()}) == 2
    assert {each["instanceProfile"] for each in subnets.values()} == {"demo-abcde-worker"}

    assert await run(DESTROY) == 0
    assert aws.inventory() == before
    assert await management.find(kinds.HOSTED_CLUSTER, "demo") is None
    assert await management.client.list(kinds.SECRET, "clusters") == []


@pytest.mark.parametrize("zones", [ZONES[:1], ZONES])
@pytest.mark.parametrize("access", ["Public", "PublicAndPrivate", "Private"])
async def test_each_access_is_made_found_again_and_removed(
    aws: Cloud,
    management: Management,
    capsys: pytest.CaptureFixture[str],
    access: str,
    zones: tuple[str, ...],
) -> None:
    """A second run of what made the account plans nothing: neither a network nor a role."""
    before = aws.inventory()
    assert await run(creation(f"--endpoint-access={access}", zones=zones)) == 0
    there, count = aws.inventory(), len(zones)
    added = {kind: there[kind] - before[kind] for kind in there if there[kind] != before[kind]}
    assert added == {
        "vpcs": 1,
        "dhcp-options": 1,
        "gateways": 1,
        "endpoints": 1,
        "zones": 2,
        "subnets": 2 * count,
        "addresses": count,
        "nats": count,
        "roles": ROLES,
        "route-tables": 2 + count,
        "groups": 1,
    }
    cluster = await management.client.get(kinds.HOSTED_CLUSTER, "demo", "clusters")
    spec = cluster["spec"]
    assert spec["platform"]["aws"]["endpointAccess"] == access
    assert len(await management.client.list(kinds.NODE_POOL, "clusters")) == count

    ids = {name: spec["dns"][f"{name}ZoneID"] for name in ("public", "private")}
    ids["local"] = local_zone(aws)
    again = (
        ["infra", "aws", "--name=demo", "--base-domain=example.com", f"--zones={','.join(zones)}"],
        ["iam", "aws", *(f"--{name}-zone-id={zone}" for name, zone in ids.items())],
    )
    capsys.readouterr()
    for words in again:
        assert await run(["create", *words, "--infra-id=demo-abcde", "--dry-run"]) == 0
        assert capsys.readouterr().out == "", words
    assert aws.inventory() == there
    assert await run(DESTROY) == 0
    assert aws.inventory() == before
    assert await management.find(kinds.HOSTED_CLUSTER, "demo") is None


def local_zone(aws: Cloud) -> str:
    """The zone in which names of private links are."""
    found = aws.client("route53").list_hosted_zones()["HostedZones"]
    [zone] = [each for each in found if each["Name"] == "demo.hypershift.local."]
    return str(zone["Id"]).removeprefix("/hostedzone/")


async def test_a_stopped_creation_is_resumed_by_its_infra_id(
    aws: Cloud, management: Management, capsys: pytest.CaptureFixture[str]
) -> None:
    aws.faults = denying("AttachInternetGateway")  # the look before asks for what makes objects
    assert await run(creation()) == 1
    said = capsys.readouterr().err
    assert "permission ec2:AttachInternetGateway is missing" in said
    assert "--infra-id demo-abcde" in said
    assert await management.find(kinds.HOSTED_CLUSTER, "demo") is None
    aws.faults = Faults.none()
    assert await run(creation()) == 0
    assert aws.inventory()["vpcs"] == 1


@pytest.mark.usefixtures("management")
async def test_permissions_that_are_missing_are_told_at_once_before_anything_is_made(
    aws: Cloud, capsys: pytest.CaptureFixture[str]
) -> None:
    before, lacks = aws.inventory(), ("CreateVpc", "AllocateAddress", "CreateNatGateway")
    aws.faults = Denying(random.Random(0), lacks=lacks)  # noqa: S311
    assert await run(creation()) == 1
    said = capsys.readouterr().err
    for operation in lacks:
        assert f"permission ec2:{operation} is missing" in said
    aws.faults = Faults.none()
    assert aws.inventory() == before


async def test_everything_that_is_missing_is_told_at_once(
    aws: Cloud, management: Management, capsys: pytest.CaptureFixture[str]
) -> None:
    await management.client.delete(kinds.CONFIG_MAP, iam.BUCKET_CONFIG, iam.BUCKET_NAMESPACE)
    before = aws.inventory()
    words = [
        *("create", "cluster", "aws", "--name=demo", "--base-domain=absent.org"),
        *("--pull-secret=absent", "--ssh-key=absent", "--zones=us-east-1x,eu-west-1a"),
        *("--vpc-cidr=10.132.0.0/16", "--service-cidr=10.134.0.0/16", f"--infra-id={'x' * 60}"),
    ]
    assert await run(words) == 1
    said = capsys.readouterr().err
    for part in (
        "failed to read pull secret file",
        "failed to read ssh key file",
        "--release-image is required",
        "the bucket of OIDC documents is not known",
        "--vpc-cidr 10.132.0.0/16 and --cluster-cidr 10.132.0.0/14 overlap",
        "--cluster-cidr 10.132.0.0/14 and --service-cidr 10.134.0.0/16 overlap",
        "zone eu-west-1a is not in region us-east-1",
        "no zone us-east-1x in region us-east-1; it has us-east-1a",
        "hosted zone absent.org not found",
        "is too long: names on AWS follow from it",
    ):
        assert part in said
    assert aws.inventory() == before


@pytest.mark.usefixtures("management")
async def test_a_cluster_of_that_name_stops_before_aws_is_touched(
    aws: Cloud, capsys: pytest.CaptureFixture[str]
) -> None:
    assert await run(creation()) == 0
    before = aws.inventory()
    assert await run([*creation(), "--infra-id=other-abcde"]) == 1
    assert "hostedcluster clusters/demo already exists" in capsys.readouterr().err
    assert aws.inventory() == before


async def test_rendering_makes_infrastructure_as_the_original_does(
    aws: Cloud, management: Management, capsys: pytest.CaptureFixture[str]
) -> None:
    assert await run(creation("--render")) == 0
    objects = list(yaml.safe_load_all(capsys.readouterr().out))
    assert [each["kind"] for each in objects][-2:] == ["NodePool", "NodePool"]
    assert aws.inventory()["vpcs"] == 1
    assert await management.find(kinds.HOSTED_CLUSTER, "demo") is None


async def test_rendering_for_karpenter_makes_its_role_too(
    aws: Cloud, management: Management, capsys: pytest.CaptureFixture[str]
) -> None:
    """Roles carry the cluster's name as its network does."""
    assert await run(creation("--render", "--auto-node")) == 0
    [cluster] = [
        each
        for each in yaml.safe_load_all(capsys.readouterr().out)
        if each["kind"] == "HostedCluster"
    ]
    provisioner = cluster["spec"]["autoNode"]["provisionerConfig"]["karpenter"]
    iam = aws.client("iam")
    role = iam.get_role(RoleName="demo-abcde-karpenter")["Role"]
    assert provisioner["aws"]["roleARN"] == role["Arn"]
    tags = {each["Key"]: each["Value"] for each in role["Tags"]}
    assert tags["hypershift.openshift.io/cluster-name"] == "demo"
    assert await management.find(kinds.HOSTED_CLUSTER, "demo") is None


async def test_a_cluster_that_others_hold_keeps_what_it_stands_on(
    aws: Cloud, management: Management, capsys: pytest.CaptureFixture[str]
) -> None:
    assert await run(creation()) == 0
    before = aws.inventory()
    held = {"metadata": {"finalizers": ["example.com/held"]}}
    await management.client.patch(kinds.HOSTED_CLUSTER, "demo", held, "clusters")
    assert await run([*DESTROY, "--cluster-grace-period=0s"]) == 1
    assert "is still there after the grace period" in capsys.readouterr().err
    cluster = await management.client.get(kinds.HOSTED_CLUSTER, "demo", "clusters")
    assert cluster["metadata"]["finalizers"] == ["example.com/held", DESTROY_FINALIZER]
    assert cluster["metadata"]["annotations"][annotations.CLEANUP_CLOUD_RESOURCES] == "true"
    assert aws.inventory() == before


async def test_an_account_that_cannot_be_cleaned_keeps_the_cluster_until_it_can(
    aws: Cloud, management: Management, capsys: pytest.CaptureFixture[str]
) -> None:
    before = aws.inventory()
    assert await run(creation()) == 0
    aws.faults = denying("DeleteVpc")
    assert await run(DESTROY) == 1
    said = capsys.readouterr().err
    assert "left are:" in said
    assert "permission ec2:DeleteVpc is missing" in said
    assert aws.inventory()["roles"] == before["roles"]
    cluster = await management.client.get(kinds.HOSTED_CLUSTER, "demo", "clusters")
    assert cluster["metadata"]["finalizers"] == [DESTROY_FINALIZER]
    aws.faults = Faults.none()
    assert await run(DESTROY) == 0
    assert aws.inventory() == before
    assert await management.find(kinds.HOSTED_CLUSTER, "demo") is None


@pytest.mark.usefixtures("aws", "management")
async def test_a_destroy_without_its_cluster_names_all_it_needs(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert await run(DESTROY) == 1
    assert capsys.readouterr().err.splitlines()[-1] == (
        "required inputs are missing: [infrastructure ID is required, base domain is required]"
    )


async def test_consoles_of_running_instances_are_written_by_their_names(
    aws: Cloud, management: Management, tmp_path: Path
) -> None:
    assert await run(creation()) == 0
    [pool, _] = await management.client.list(kinds.NODE_POOL, "clusters")
    ec2 = aws.client("ec2")
    image = ec2.describe_images()["Images"][0]["ImageId"]
    for name, owner in (("../worker", "demo-abcde"), ("", "demo-abcde"), ("x", "other")):
        tags = [{"Key": f"kubernetes.io/cluster/{owner}", "Value": "owned"}]
        tags += [{"Key": "Name", "Value": name}] if name else []
        ec2.run_instances(
            ImageId=image,
            MinCount=1,
            MaxCount=1,
            SubnetId=pool["spec"]["platform"]["aws"]["subnet"]["id"],
            TagSpecifications=[{"ResourceType": "instance", "Tags": tags}],
        )
    target = tmp_path / "consoles"
    words = ["console-logs", "aws", "--name=demo", f"--output-dir={target}"]
    assert await run(words) == 0
    names = sorted(each.name for each in target.iterdir())
    assert len(names) == 2
    assert names[0] == "-worker.log"
    assert names[1].startswith("i-")
    assert all(each.read_text() for each in target.iterdir())
