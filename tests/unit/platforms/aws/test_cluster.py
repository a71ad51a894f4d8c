"""What platform AWS makes for a control plane."""

import configparser
from base64 import b64encode
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from tests.lib.aws import ROLE, ROLES

from hypershift.api import HostedCluster, annotations, read
from hypershift.kit import InvalidSpec, Manifest, TransientError, data_of
from hypershift.platforms import ClusterFacts, cluster_side
from hypershift.platforms.aws import orphans
from hypershift.platforms.aws.cluster import AwsCluster
from hypershift.platforms.aws.provider import IMAGE
from hypershift.release import Product, Release

AWS = AwsCluster()


def facts(
    section: Manifest | None = None, release: Release | None = None, **more: Any
) -> ClusterFacts:
    aws = {"region": "us-east-1", "rolesRef": ROLES, **(section or {})}
    spec = {"infraID": "demo-abcde", "platform": {"type": "AWS", "aws": aws}}
    status, marks = more.pop("status", {}), more.pop("marks", {})
    spec |= more.pop("spec", {})
    metadata = {"name": "demo", "namespace": "clusters", "annotations": marks}
    cluster = read(HostedCluster, {"metadata": metadata, "spec": spec, "status": status})
    return ClusterFacts(cluster, "clusters-demo", release=release, **more)


def kubernetes() -> Release:
    return Release("1.35.8", Product.KUBERNETES, {IMAGE: "registry.example/capa:1"})


def profile(secret: Manifest) -> dict[str, str]:
    parser = configparser.ConfigParser()
    parser.read_string(data_of(secret, "credentials").decode())
    return dict(parser["default"])


def test_the_network_is_its_users_and_ready_once_the_endpoint_is_known() -> None:
    section = {
        "cloudProviderConfig": {"vpc": "vpc-1"},
        "resourceTags": [{"key": "owner", "value": "me"}],
    }
    waiting = AWS.infra_cluster(facts(section))
    assert waiting["metadata"]["annotations"] == {"cluster.x-k8s.io/managed-by": "external"}
    assert waiting["spec"] == {
        "region": "us-east-1",
        "network": {"vpc": {"id": "vpc-1"}},
        "additionalTags": {"owner": "me"},
    }
    assert "status" not in waiting
    ready = AWS.infra_cluster(facts(section, endpoint=("api.example.com", 443)))
    assert ready["spec"]["controlPlaneEndpoint"] == {"host": "api.example.com", "port": 443}
    assert ready["status"] == {"ready": True}


def test_each_component_has_its_role_and_no_key() -> None:
    made = {each["metadata"]["name"]: profile(each) for each in AWS.credentials(facts())}
    assert {name: found["role_arn"] for name, found in made.items()} == {
        "cloud-controller-creds": ROLE + "kubeCloudController",
        "node-management-creds": ROLE + "nodePoolManagement",
        "control-plane-operator-creds": ROLE + "controlPlaneOperator",
        "cloud-network-config-controller-creds": ROLE + "network",
        "ebs-cloud-credentials": ROLE + "storage",
    }
    assert {tuple(sorted(each)) for each in made.values()} == {
        ("region", "role_arn", "sts_regional_endpoints", "web_identity_token_file")
    }


def test_components_may_share_a_role() -> None:
    shared = {"rolesRef": dict.fromkeys(ROLES, ROLE + "shared")}
    assert len(AWS.credentials(facts(shared))) == 5


def test_the_key_service_has_credentials_where_it_is_used() -> None:
    assert AWS.encryption_secrets(facts()) == ()
    kms = {
        "region": "us-east-1",
        "activeKey": {"arn": "k"},
        "auth": {"awsKms": ROLE + "kms"},
    }
    spec = {"secretEncryption": {"type": "kms", "kms": {"provider": "AWS", "aws": kms}}}
    [made] = AWS.encryption_secrets(facts(spec=spec))
    assert made["metadata"]["name"] == "kms-creds"
    assert profile(made)["role_arn"] == ROLE + "kms"


def test_a_role_may_be_named_by_a_secret() -> None:
    section = {"rolesRef": {**ROLES, "networkARN": "arn-from-secret::network"}}
    asking = facts(section)
    assert AWS.reads(asking.cluster).secrets == ("network",)
    with pytest.raises(TransientError, match='secrets "network" not found'):
        AWS.credentials(asking)
    text = f"[default]\nrole_arn = {ROLE}net\n"
    secret = {"data": {"credentials": b64encode(text.encode()).decode()}}
    made = AWS.credentials(facts(section, secrets={"network": secret}))
    assert [profile(each)["role_arn"] for each in made][3] == ROLE + "net"
    empty = {"data": {"credentials": b64encode(b"[other]\n").decode()}}
    with pytest.raises(InvalidSpec, match="Secret network has no role_arn"):
        AWS.credentials(facts(section, secrets={"network": empty}))


@pytest.mark.parametrize("arn", ["", "a\nrole_arn = other", "a b"])
def test_a_role_that_is_none_or_more_than_a_name_is_refused(arn: str) -> None:
    with pytest.raises(InvalidSpec):
        AWS.credentials(facts({"rolesRef": {**ROLES, "networkARN": arn}}))


def test_the_provider_calls_aws_by_tokens_of_the_hosted_cluster() -> None:
    provider = AWS.provider(facts(release=kubernetes(), operator_image="registry.example/own:1"))
    manager, minter = provider.pod["containers"]
    assert manager["image"] == "registry.example/capa:1"
    assert "command" not in manager
    assert "--feature-gates=EKS=false,ROSA=false,MachinePool=false" in manager["args"]
    assert minter["image"] == "registry.example/own:1"
    assert "--service-account-name=capa-controller-manager" in minter["args"]
    named = {each["name"] for each in provider.pod["volumes"]}
    for container in (manager, minter):
        assert {each["name"] for each in container["volumeMounts"]} <= named
    assert {verb for rule in provider.rules for verb in rule["verbs"]} == {
        *("get", "list", "watch", "patch", "update")
    }


@pytest.mark.parametrize(
    ("version", "gates"), [("4.15.3", "EKS=false"), ("4.16.0", "EKS=false,ROSA=false")]
)
def test_openshifts_provider_has_the_flags_of_its_release(version: str, gates: str) -> None:
    release = Release(version, Product.OPENSHIFT, {IMAGE: "quay.io/capa", "token-minter": "m"})
    manager, minter = AWS.provider(facts(release=release)).pod["containers"]
    assert manager["command"] == ["/bin/cluster-api-provider-aws-controller-manager"]
    assert f"--feature-gates={gates}" in manager["args"]
    assert minter["image"] == "m"


def test_a_release_without_the_provider_says_how_to_get_one() -> None:
    bare = Release("1.35.8", Product.KUBERNETES, {})
    with pytest.raises(InvalidSpec, match="payload push --provider-aws"):
        AWS.provider(facts(release=bare))
    marks = {annotations.CAPI_PROVIDER_AWS_IMAGE: "mine"}
    [manager, _] = AWS.provider(facts(release=bare, marks=marks)).pod["containers"]
    assert manager["image"] == "mine"


def test_a_cluster_without_its_section_is_the_users_to_change() -> None:
    spec = {"platform": {"type": "AWS"}}
    with pytest.raises(InvalidSpec, match=r"needs spec\.platform\.aws"):
        cluster_side("AWS").infra_cluster(facts(spec=spec))


MACHINE = {"metadata": {"deletionTimestamp": "2026-01-01T00:00:00Z"}}


@pytest.mark.parametrize(
    ("oidc", "identity", "minutes", "abandoned"),
    [
        ("True", "True", 60, False),
        ("True", "False", 0, True),
        ("False", "True", 0, True),
        ("True", "Unknown", 5, False),
        ("True", "Unknown", 11, True),
        ("", "", 5, False),
    ],
)
def test_an_instance_is_given_up_where_aws_does_not_trust_the_cluster(
    oidc: str, identity: str, minutes: int, *, abandoned: bool
) -> None:
    stated = {"ValidOIDCConfiguration": oidc, "ValidAWSIdentityProvider": identity}
    conditions = [
        {
            "type": kind,
            "status": status,
            "reason": "x",
            "lastTransitionTime": "2026-01-01T00:00:00Z",
        }
        for kind, status in stated.items()
        if status
    ]
    cluster = facts(status={"conditions": conditions}).cluster
    now = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=minutes)
    assert orphans.is_abandoned(cluster, MACHINE, now) is abandoned
