"""What operators do in an account of AWS, without the SDK, against a test cloud."""

import asyncio
from base64 import b64encode
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.cloud.aws.faults import Faults
from tests.cloud.aws.server import Cloud

from hypershift.api import HostedControlPlane, read
from hypershift.cloud.stores import DocumentBucket
from hypershift.kit import Secret
from hypershift.platforms import AccountFacts, Cleaned, Kept
from hypershift.platforms.aws.account import AwsAccount

pytestmark = pytest.mark.integration

NOW = datetime(2026, 1, 1, tzinfo=UTC)
ROLE = "arn:aws:iam::123456789012:role/demo-abcde-control-plane-operator"
CREDENTIALS = {
    "data": {"credentials": b64encode(f"[default]\nrole_arn = {ROLE}\n".encode()).decode()}
}


async def token(namespace: str, account: str, audience: str) -> Secret[str]:
    return Secret(f"{namespace}/{account} for {audience}")


def facts(vpc: str, now: datetime = NOW, **more: Any) -> AccountFacts:
    aws = {
        "region": "us-east-1",
        "rolesRef": {},
        "cloudProviderConfig": {"vpc": vpc},
        "resourceTags": [{"key": "owner", "value": "me"}],
    }
    spec = {
        "infraID": "demo-abcde",
        "platform": {"type": "AWS", "aws": aws},
        "networking": {"machineNetwork": [{"cidr": "10.0.0.0/16"}]},
    }
    plane = read(HostedControlPlane, {"metadata": {"name": "demo"}, "spec": spec})
    given = {"serves": True, "credentials": CREDENTIALS, **more}
    return AccountFacts(plane, now, token, **given)


@pytest.fixture
def vpc(aws: Cloud) -> str:
    return str(aws.client("ec2").create_vpc(CidrBlock="10.0.0.0/16")["Vpc"]["VpcId"])


def keep(account: AwsAccount, given: AccountFacts) -> Kept:
    return asyncio.run(account.keep(given))


def clean(given: AccountFacts) -> Cleaned:
    return asyncio.run(AwsAccount().clean(given))


def said(kept: Kept | Cleaned) -> dict[str, tuple[str, str]]:
    return {str(each.type): (str(each.status), each.message) for each in kept.conditions}


def groups(aws: Cloud, vpc: str) -> dict[str, dict[str, Any]]:
    found = aws.client("ec2").describe_security_groups(
        Filters=[{"Name": "vpc-id", "Values": [vpc]}]
    )["SecurityGroups"]
    return {each["GroupName"]: dict(each) for each in found if each["GroupName"] != "default"}


def test_nodes_get_a_group_of_their_own_once(aws: Cloud, vpc: str) -> None:
    kept = keep(AwsAccount(), facts(vpc))
    [group] = groups(aws, vpc).values()
    assert group["GroupName"] == "demo-abcde-default-sg"
    assert kept.status == {"aws": {"defaultWorkerSecurityGroupID": group["GroupId"]}}
    assert {each["Key"]: each["Value"] for each in group["Tags"]} == {
        "Name": "demo-abcde-default-sg",
        "kubernetes.io/cluster/demo-abcde": "owned",
        "owner": "me",
    }
    assert {name: status for name, (status, _) in said(kept).items()} == {
        "ValidAWSIdentityProvider": "True",
        "AWSDefaultSecurityGroupCreated": "True",
        "ValidAWSKMSConfig": "Unknown",
    }
    aws.calls.clear()
    assert keep(AwsAccount(), facts(vpc)) == kept
    assert not {"CreateSecurityGroup", "AuthorizeSecurityGroupIngress"} & aws.calls.keys()
    clean(facts(vpc))
    assert groups(aws, vpc) == {}
    assert said(clean(facts(vpc)))["AWSDefaultSecurityGroupDeleted"][0] == "True"


def test_openshifts_nodes_let_in_what_its_network_needs(aws: Cloud, vpc: str) -> None:
    keep(AwsAccount(), facts(vpc, openshift=True))
    [group] = groups(aws, vpc).values()
    opened = {(each["IpProtocol"], each.get("FromPort")) for each in group["IpPermissions"]}
    assert {("udp", 4789), ("udp", 6081), ("tcp", 10250), ("tcp", 22)} <= opened
    assert ("-1", None) not in opened
    aws.calls.clear()
    keep(AwsAccount(), facts(vpc, openshift=True))
    assert "AuthorizeSecurityGroupIngress" not in aws.calls


def test_an_account_that_is_well_is_left_alone_for_five_minutes(aws: Cloud, vpc: str) -> None:
    account = AwsAccount()
    keep(account, facts(vpc))
    aws.calls.clear()
    keep(account, facts(vpc, NOW + timedelta(minutes=4)))
    assert not aws.calls
    keep(account, facts(vpc, NOW + timedelta(minutes=6)))
    assert set(aws.calls) == {"DescribeVpcEndpoints", "DescribeSecurityGroups"}


def test_twenty_idle_clusters_ask_as_often_as_their_periods_say(aws: Cloud, vpc: str) -> None:
    """A pass each minute for an hour: two questions in five minutes, and a role for fifty."""
    clusters = [AwsAccount() for _ in range(20)]

    async def passes(minutes: range) -> None:
        for minute in minutes:
            for account in clusters:
                await account.keep(facts(vpc, NOW + timedelta(minutes=minute)))

    asyncio.run(passes(range(1)))
    aws.calls.clear()
    asyncio.run(passes(range(1, 61)))
    looks = 20 * 60 // 5
    assert dict(aws.calls) == {
        "DescribeVpcEndpoints": looks,
        "DescribeSecurityGroups": looks,
        "AssumeRoleWithWebIdentity": 20,
    }


@pytest.mark.parametrize("lost", ["CreateSecurityGroup", "AuthorizeSecurityGroupIngress"])
def test_what_a_lost_answer_made_is_found(
    aws: Cloud, vpc: str, lost: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hypershift.cloud.stores.http.PAUSES", ())
    aws.faults = Faults.none()
    aws.faults.only, aws.faults.fatal = lost, "lost"
    account = AwsAccount()
    assert said(keep(account, facts(vpc)))["AWSDefaultSecurityGroupCreated"][0] == "False"
    aws.faults = Faults.none()
    assert said(keep(account, facts(vpc)))["AWSDefaultSecurityGroupCreated"][0] == "True"
    assert len(groups(aws, vpc)) == 1


def test_a_role_that_is_not_lent_is_told_and_asked_for_again(aws: Cloud, vpc: str) -> None:
    account = AwsAccount()
    aws.faults = Faults.none()
    aws.faults.only, aws.faults.fatal = "AssumeRoleWithWebIdentity", "denied"
    kept = keep(account, facts(vpc))
    assert said(kept)["ValidAWSIdentityProvider"][0] in {"False", "Unknown"}
    assert not kept.status
    aws.faults = Faults.none()
    assert said(keep(account, facts(vpc)))["ValidAWSIdentityProvider"][0] == "True"


def test_nothing_is_asked_before_the_cluster_can_say_who_it_is(aws: Cloud, vpc: str) -> None:
    kept = keep(AwsAccount(), facts(vpc, serves=False))
    assert said(kept)["ValidAWSIdentityProvider"][0] == "Unknown"
    without = keep(AwsAccount(), facts(vpc, credentials=None))
    assert "name no role yet" in said(without)["ValidAWSIdentityProvider"][1]
    assert (
        not aws.calls.keys()
        - {"CreateVpc", "CreateHostedZone"}
        - {name for name in aws.calls if name.startswith(("POST", "GET"))}
    )


def test_documents_are_written_and_deleted(aws: Cloud, tmp_path: Path) -> None:
    s3 = aws.client("s3")
    s3.create_bucket(Bucket="docs")
    file = tmp_path / "credentials"
    file.write_text("[default]\naws_access_key_id = test\naws_secret_access_key = test\n")
    bucket = DocumentBucket("docs", "us-east-1", file)
    asyncio.run(bucket.write("demo/openid/v1/jwks", b"{}", "application/json"))
    found = s3.get_object(Bucket="docs", Key="demo/openid/v1/jwks")
    assert (found["Body"].read(), found["ContentType"]) == (b"{}", "application/json")
    asyncio.run(bucket.delete("demo/openid/v1/jwks"))
    asyncio.run(bucket.delete("demo/openid/v1/jwks"))
    assert "Contents" not in s3.list_objects_v2(Bucket="docs")
    s3.delete_bucket(Bucket="docs")
    asyncio.run(bucket.delete("demo/openid/v1/jwks"))
