"""Both halves of a private link against a test cloud: made, kept, changed and removed."""

import asyncio
from collections.abc import Callable

import pytest
from tests.cloud.aws.faults import Faults
from tests.cloud.aws.link_site import (
    ACCOUNT,
    API,
    CREDENTIALS,
    NOW,
    OWNER,
    REGION,
    ROUTER,
    ZONE,
    LinkSite,
    token,
    until,
)
from tests.cloud.aws.server import Cloud

from hypershift.api import HostedControlPlane, read
from hypershift.kit import HypershiftError
from hypershift.platforms import EndpointFacts, LinkKept, ServiceFacts
from hypershift.platforms.aws.private_link import AwsEndpoint

pytestmark = pytest.mark.integration


def said(kept: LinkKept) -> str:
    [condition] = kept.conditions
    return condition.message


def test_a_link_has_a_service_an_endpoint_and_names(aws: Cloud) -> None:
    site = LinkSite(aws)
    kept = site.keep()
    assert kept.works
    [service], [endpoint] = site.services(), site.endpoints()
    assert not service["AcceptanceRequired"]
    assert {each["Key"]: each["Value"] for each in service["Tags"]} == {
        "owner": "me",
        "hypershift.openshift.io/cluster-uid": OWNER,
    }
    assert site.principals() == {
        f"arn:aws:iam::{ACCOUNT}:role/demo-abcde-control-plane-operator",
        "arn:aws:iam::123456789012:root",
    }
    assert endpoint["ServiceName"] == service["ServiceName"]
    assert endpoint["VpcEndpointType"] == "Interface"
    assert sorted(endpoint["SubnetIds"]) == sorted(site.subnets[:2])
    [group] = site.groups().values()
    assert group["GroupName"] == "demo-abcde-vpce-private-router"
    assert [each["GroupId"] for each in endpoint["Groups"]] == [group["GroupId"]]
    [rule] = group["IpPermissions"]
    assert (rule["IpProtocol"], rule["FromPort"], rule["ToPort"]) == ("tcp", 443, 443)
    assert [each["CidrIp"] for each in rule["IpRanges"]] == ["10.0.0.0/16"]
    target = endpoint["DnsEntries"][0]["DnsName"]
    assert site.records() == {f"api.{ZONE}.": target, f"*.apps.{ZONE}.": target}
    assert kept.target == target
    status = site.link()["status"]
    assert status == {
        "endpointServiceName": service["ServiceName"],
        "endpointID": endpoint["VpcEndpointId"],
        "securityGroupID": group["GroupId"],
        "dnsNames": [f"api.{ZONE}", f"*.apps.{ZONE}"],
        "dnsZoneID": site.zone,
    }


def test_a_second_look_changes_nothing(aws: Cloud) -> None:
    site = LinkSite(aws)
    site.keep()
    before = dict(site.link()["status"])
    aws.calls.clear()
    assert site.keep().works
    assert site.link()["status"] == before
    changing = ("Create", "Delete", "Modify", "Authorize", "Revoke", "POST /2013")
    assert not [name for name in aws.calls if name.startswith(changing)]


def test_nothing_is_left_of_a_link_that_is_removed(aws: Cloud) -> None:
    site = LinkSite(aws)
    site.keep()
    site.remove()
    assert site.is_empty()
    site.remove()


def test_an_api_server_before_a_load_balancer_has_a_link_of_its_own(aws: Cloud) -> None:
    site = LinkSite(aws, by="LoadBalancer")
    for name in (API, ROUTER):
        assert site.keep(name).works
    assert sorted(site.groups()) == [
        "demo-abcde-vpce-kube-apiserver-private",
        "demo-abcde-vpce-private-router",
    ]
    [rule] = site.groups()["demo-abcde-vpce-kube-apiserver-private"]["IpPermissions"]
    assert rule["FromPort"] == 6443
    records = site.records()
    assert sorted(records) == [f"*.apps.{ZONE}.", f"api.{ZONE}."]
    assert len(set(records.values())) == 2
    for name in (API, ROUTER):
        site.remove(name)
    assert site.is_empty()


def test_an_endpoint_follows_the_subnets_of_nodes_one_in_each_zone(aws: Cloud) -> None:
    site = LinkSite(aws)
    site.link(subnets=1)
    site.keep()
    site.link()["spec"]["subnetIDs"] = site.subnets
    assert site.keep_endpoint().works
    [endpoint] = site.endpoints()
    in_b = min(site.subnets[1:])
    assert sorted(endpoint["SubnetIds"]) == sorted([site.subnets[0], in_b])
    site.link()["spec"]["subnetIDs"] = []
    assert site.keep_endpoint().works
    [endpoint] = site.endpoints()
    assert len(endpoint["SubnetIds"]) == 2


@pytest.mark.parametrize("forgotten", [(), ("endpointServiceName",), ("endpointID", "dnsZoneID")])
def test_what_nobody_wrote_down_is_found_and_removed(
    aws: Cloud, forgotten: tuple[str, ...]
) -> None:
    site = LinkSite(aws)
    site.keep()
    known = {name: site.link()["status"].pop(name) for name in forgotten}
    if "endpointServiceName" in forgotten:
        assert site.keep_service().works
        assert site.link()["status"]["endpointServiceName"] == known["endpointServiceName"]
    else:
        assert site.keep_endpoint().works
    assert (len(site.services()), len(site.endpoints())) == (1, 1)
    site.link()["status"].clear()
    site.link()["status"].update({})
    site.remove()
    assert site.is_empty()


def test_parts_that_somebody_deleted_are_made_again(aws: Cloud) -> None:
    site, ec2 = LinkSite(aws), aws.client("ec2")
    site.keep()
    [endpoint], [service] = site.endpoints(), site.services()
    ec2.delete_vpc_endpoints(VpcEndpointIds=[endpoint["VpcEndpointId"]])
    kept = site.keep_endpoint()
    assert said(kept) == f"endpoint with id {endpoint['VpcEndpointId']} not found, resetting status"
    assert "endpointID" not in site.link()["status"]
    assert site.keep_endpoint().works
    ec2.delete_vpc_endpoints(VpcEndpointIds=[site.link()["status"]["endpointID"]])
    ec2.delete_vpc_endpoint_service_configurations(ServiceIds=[service["ServiceId"]])
    assert "not found, resetting status" in said(site.keep_service())
    assert site.keep_service().works
    site.link()["status"].pop("endpointID")
    assert site.keep_endpoint().works
    assert len(site.services()) == 1


def test_an_endpoint_of_another_service_is_replaced(aws: Cloud) -> None:
    site = LinkSite(aws)
    site.keep()
    old = site.link()["status"]["endpointID"]
    other = aws.client("ec2").create_vpc_endpoint_service_configuration(
        NetworkLoadBalancerArns=[
            aws.client("elbv2").create_load_balancer(
                Name="other-x", Type="network", Subnets=[site.far["SubnetId"]]
            )["LoadBalancers"][0]["LoadBalancerArn"]
        ]
    )
    named = other["ServiceConfiguration"]["ServiceName"]
    site.link()["status"]["endpointServiceName"] = named
    assert "is not pointing to the existing .Status.EndpointServiceName" in said(
        site.keep_endpoint()
    )
    assert site.keep_endpoint().works
    [endpoint] = site.endpoints()
    assert endpoint["VpcEndpointId"] != old
    assert endpoint["ServiceName"] == named


def test_a_load_balancer_that_is_not_there_is_waited_for(aws: Cloud) -> None:
    site = LinkSite(aws)
    site.link()["spec"]["networkLoadBalancerName"] = "absent"
    assert said(site.keep_service()) == "load balancer absent not found"
    facts = ServiceFacts(site.link(), NOW)
    assert asyncio.run(site.service.remove(facts)) == ""


def test_a_forged_name_of_a_service_changes_nothing_of_another_cluster(aws: Cloud) -> None:
    """Who runs in a control plane namespace may write the status of its links."""
    site = LinkSite(aws)
    assert site.keep_service().works
    [victim], before = site.services(), site.principals()
    site.link(API)["status"]["endpointServiceName"] = victim["ServiceName"]
    assert "not found, resetting status" in said(site.keep_service(API))
    assert site.principals() == before
    for owner in ("", "uid-of-the-forger"):
        named = {"endpointServiceName": victim["ServiceName"]}
        for link in (site.link(API), site.link(ROUTER)):
            for status in (named, {}):
                facts = ServiceFacts({**link, "status": status}, NOW, owner=owner)
                assert asyncio.run(site.service.remove(facts)) == ""
    assert [each["ServiceName"] for each in site.services()] == [victim["ServiceName"]]
    assert site.principals() == before


def test_a_zone_that_is_not_there_is_waited_for(aws: Cloud) -> None:
    site = LinkSite(aws)
    aws.client("route53").delete_hosted_zone(Id=site.zone)
    assert said(site.keep()) == f"hosted zone {ZONE} not found"
    assert "endpointID" in site.link()["status"]
    site.remove()
    assert site.endpoints() == []


@pytest.mark.parametrize("seed", range(12))
def test_faults_leave_nothing_behind(
    aws: Cloud, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Answers are lost, throttled and refused: it is made once, and all of it is removed."""
    monkeypatch.setattr("hypershift.cloud.stores.http.PAUSES", ())
    site = LinkSite(aws, by="Route" if seed % 2 else "LoadBalancer")
    names = (ROUTER,) if seed % 2 else (API, ROUTER)
    for name in names:
        site.link(name)
    calm = Faults.none()

    def tried(step: Callable[[], bool], attempt: int) -> bool:
        aws.faults = Faults.of(seed * 100 + attempt) if attempt < 12 else calm
        aws.faults.rate *= 4
        try:
            return step()
        except HypershiftError:
            return False
        finally:
            aws.faults = calm

    for name in names:
        attempts = iter(range(30))
        until(lambda n=name, a=attempts: tried(lambda: site.keep_service(n).works, next(a)))  # type: ignore[misc]
        attempts = iter(range(30))
        until(lambda n=name, a=attempts: tried(lambda: site.keep_endpoint(n).works, next(a)))  # type: ignore[misc]
    assert len(site.services()) == len(site.endpoints()) == len(site.groups()) == len(names)
    for name in names:
        if seed % 3 == 0:
            site.link(name)["status"].clear()
        facts, whole = site.facts(name), ServiceFacts(site.link(name), NOW, owner=OWNER)
        attempts = iter(range(30))
        until(
            lambda f=facts, a=attempts: tried(  # type: ignore[misc]
                lambda: asyncio.run(site.endpoint.remove(f)) == "", next(a)
            )
        )
        attempts = iter(range(30))
        until(
            lambda w=whole, a=attempts: tried(  # type: ignore[misc]
                lambda: asyncio.run(site.service.remove(w)) == "", next(a)
            )
        )
    assert site.is_empty()


def test_in_a_shared_network_the_roles_of_its_owner_do_the_work(aws: Cloud) -> None:
    """Network and zone are another account's: the cluster's own has neither."""
    site = LinkSite(aws)
    key, _, _ = aws.owner()
    ec2, route53, iam = (aws.client(name, key) for name in ("ec2", "route53", "iam"))
    roles = {}
    for name in ("endpoints", "records"):
        made = iam.create_role(RoleName=name, AssumeRolePolicyDocument="{}")
        roles[name] = made["Role"]["Arn"]
    vpc = ec2.create_vpc(CidrBlock="10.1.0.0/16")["Vpc"]["VpcId"]
    subnet = ec2.create_subnet(VpcId=vpc, CidrBlock="10.1.0.0/24")["Subnet"]["SubnetId"]
    zone = route53.create_hosted_zone(
        Name=ZONE,
        CallerReference="shared",
        VPC={"VPCRegion": REGION, "VPCId": vpc},
        HostedZoneConfig={"PrivateZone": True},
    )["HostedZone"]["Id"].removeprefix("/hostedzone/")
    assert site.keep_service().works
    site.link()["spec"]["subnetIDs"] = [subnet]
    spec = site.spec()
    shared = {
        "localZoneID": zone,
        "rolesRef": {"controlPlaneARN": roles["endpoints"], "ingressARN": roles["records"]},
    }
    spec["platform"]["aws"] |= {"sharedVPC": shared, "cloudProviderConfig": {"vpc": vpc}}
    plane = read(HostedControlPlane, {"metadata": {"name": "demo"}, "spec": spec})
    facts = EndpointFacts(site.link(), NOW, plane, token, CREDENTIALS)
    side = AwsEndpoint()
    kept = site.written(ROUTER, asyncio.run(side.keep(facts)))
    assert kept.works, said(kept)
    [endpoint] = ec2.describe_vpc_endpoints()["VpcEndpoints"]
    assert endpoint["SubnetIds"] == [subnet]
    assert site.endpoints() == []
    found = route53.list_resource_record_sets(HostedZoneId=zone)["ResourceRecordSets"]
    assert {each["Type"] for each in found} >= {"CNAME"}
    assert site.records() == {}
    until(lambda: asyncio.run(side.remove(facts)) == "")
    left = ec2.describe_vpc_endpoints()["VpcEndpoints"]
    assert [each for each in left if each["State"] != "deleted"] == []
    found = route53.list_resource_record_sets(HostedZoneId=zone)["ResourceRecordSets"]
    assert "CNAME" not in {each["Type"] for each in found}
