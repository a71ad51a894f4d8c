"""Both halves of a private link against a test cloud: made, kept, changed and removed."""

import asyncio
from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import pytest
from tests.cloud.aws.faults import Faults
from tests.cloud.aws.server import Cloud

from hypershift.api import HostedCluster, HostedControlPlane, read
from hypershift.cloud.aws import Query, Zones
from hypershift.cloud.stores import Keys
from hypershift.kit import HypershiftError, Manifest, Secret
from hypershift.platforms import EndpointFacts, LinkKept, ServiceFacts
from hypershift.platforms.aws.private_link import AwsEndpoint, AwsService, spec_of
from hypershift.platforms.aws.private_link.session import Session

pytestmark = pytest.mark.integration

NOW = datetime(2026, 1, 1, tzinfo=UTC)
REGION, ACCOUNT = "us-east-1", "123456789012"
ROLE = f"arn:aws:iam::{ACCOUNT}:role/a/path/demo-abcde-control-plane-operator"
CREDENTIALS = {
    "data": {"credentials": b64encode(f"[default]\nrole_arn = {ROLE}\n".encode()).decode()}
}
OWNER = "12345678-uid-of-demo"
ZONE = "demo.hypershift.local"
ROUTER, API = "private-router", "kube-apiserver-private"


def session() -> Session:
    keys = Keys("test", Secret("test"))
    return Session(Query(REGION, keys), Zones(REGION, keys))


async def token(namespace: str, account: str, audience: str) -> Secret[str]:
    return Secret(f"{namespace}/{account} for {audience}")


@dataclass
class Ground:
    """A VPC with a zone of names, and a load balancer of the management cluster."""

    aws: Cloud
    by: str = "Route"  # how the API server is published
    links: dict[str, Manifest] = field(default_factory=dict)

    def __post_init__(self) -> None:
        ec2, route53 = self.aws.client("ec2"), self.aws.client("route53")
        self.vpc = ec2.create_vpc(CidrBlock="10.0.0.0/16")["Vpc"]["VpcId"]
        self.subnets = [self.subnet(number, zone) for number, zone in enumerate("abb")]
        made = route53.create_hosted_zone(
            Name=ZONE,
            CallerReference="zone",
            VPC={"VPCRegion": REGION, "VPCId": self.vpc},
            HostedZoneConfig={"PrivateZone": True},
        )
        self.zone = made["HostedZone"]["Id"].removeprefix("/hostedzone/")
        self.home = ec2.create_vpc(CidrBlock="10.9.0.0/16")["Vpc"]["VpcId"]
        self.far = ec2.create_subnet(VpcId=self.home, CidrBlock="10.9.0.0/24")["Subnet"]
        self.endpoint = AwsEndpoint(login=lambda *_: session())
        self.service = AwsService(login=session)

    def subnet(self, number: int, zone: str) -> str:
        made = self.aws.client("ec2").create_subnet(
            VpcId=self.vpc, CidrBlock=f"10.0.{number}.0/24", AvailabilityZone=f"{REGION}{zone}"
        )
        return str(made["Subnet"]["SubnetId"])

    def balancer(self, name: str) -> str:
        """A load balancer as the management cluster's cloud controller makes them."""
        made = self.aws.client("elbv2").create_load_balancer(
            Name=name, Type="network", Scheme="internal", Subnets=[self.far["SubnetId"]]
        )
        return str(made["LoadBalancers"][0]["DNSName"])

    def spec(self) -> dict[str, Any]:
        aws = {
            "region": REGION,
            "rolesRef": {"controlPlaneOperatorARN": ROLE},
            "cloudProviderConfig": {"vpc": self.vpc, "subnet": {"id": self.subnets[0]}},
            "resourceTags": [{"key": "owner", "value": "me"}],
            "additionalAllowedPrincipals": ["arn:aws:iam::123456789012:root"],
            "endpointAccess": "Private",
        }
        route = {"type": "Route", "route": {"hostname": "api.demo.example.com"}}
        way = route if self.by == "Route" else {"type": "LoadBalancer"}
        return {
            "infraID": "demo-abcde",
            "platform": {"type": "AWS", "aws": aws},
            "networking": {"machineNetwork": [{"cidr": "10.0.0.0/16"}]},
            "services": [{"service": "APIServer", "servicePublishingStrategy": way}],
        }

    @property
    def plane(self) -> HostedControlPlane:
        return read(HostedControlPlane, {"metadata": {"name": "demo"}, "spec": self.spec()})

    @property
    def cluster(self) -> HostedCluster:
        metadata = {"name": "demo", "namespace": "clusters"}
        return read(HostedCluster, {"metadata": metadata, "spec": self.spec()})

    def link(self, name: str = ROUTER, subnets: int = 2) -> Manifest:
        """The link before a load balancer; made once."""
        if name not in self.links:
            host = self.balancer(f"a{name.replace('-', '')}-x")
            service = {"status": {"loadBalancer": {"ingress": [{"hostname": host}]}}}
            spec = spec_of(service, self.plane.spec.platform)
            assert spec is not None
            spec["subnetIDs"] = self.subnets[:subnets]
            self.links[name] = {"metadata": {"name": name}, "spec": spec, "status": {}}
        return self.links[name]

    def keep_service(self, name: str = ROUTER) -> LinkKept:
        facts = ServiceFacts(self.link(name), NOW, self.cluster, owner=OWNER)
        return self.written(name, asyncio.run(self.service.keep(facts)))

    def keep_endpoint(self, name: str = ROUTER) -> LinkKept:
        return self.written(name, asyncio.run(self.endpoint.keep(self.facts(name))))

    def keep(self, name: str = ROUTER) -> LinkKept:
        assert self.keep_service(name).works
        return self.keep_endpoint(name)

    def facts(self, name: str = ROUTER) -> EndpointFacts:
        return EndpointFacts(self.link(name), NOW, self.plane, token, CREDENTIALS)

    def written(self, name: str, kept: LinkKept) -> LinkKept:
        kept.write(self.links[name]["status"])
        return kept

    def remove(self, name: str = ROUTER) -> None:
        """Remove both halves, the endpoint first, as the finalizers let it be."""
        facts = ServiceFacts(self.link(name), NOW, owner=OWNER)
        until(lambda: asyncio.run(self.endpoint.remove(self.facts(name))) == "")
        until(lambda: asyncio.run(self.service.remove(facts)) == "")

    def services(self) -> list[dict[str, Any]]:
        found = self.aws.client("ec2").describe_vpc_endpoint_service_configurations()
        return list(found["ServiceConfigurations"])

    def endpoints(self) -> list[dict[str, Any]]:
        found = self.aws.client("ec2").describe_vpc_endpoints()["VpcEndpoints"]
        return [each for each in found if each["State"] != "deleted"]

    def groups(self) -> dict[str, dict[str, Any]]:
        wanted = [{"Name": "vpc-id", "Values": [self.vpc]}]
        found = self.aws.client("ec2").describe_security_groups(Filters=wanted)
        known = {each["GroupName"]: dict(each) for each in found["SecurityGroups"]}
        known.pop("default")
        return known

    def records(self) -> dict[str, str]:
        listed = self.aws.client("route53").list_resource_record_sets(HostedZoneId=self.zone)
        found = listed["ResourceRecordSets"]
        return {
            each["Name"].replace("\\052", "*"): each["ResourceRecords"][0]["Value"]
            for each in found
            if each["Type"] == "CNAME"
        }

    def principals(self) -> set[str]:
        [service] = self.services()
        found = self.aws.client("ec2").describe_vpc_endpoint_service_permissions(
            ServiceId=service["ServiceId"]
        )
        return {each["Principal"] for each in found["AllowedPrincipals"]}

    def is_empty(self) -> bool:
        return not (self.services() or self.endpoints() or self.groups() or self.records())


def until(step: Callable[[], bool], most: int = 20) -> None:
    for _ in range(most):
        if step():
            return
    raise AssertionError("it never ended")


def said(kept: LinkKept) -> str:
    [condition] = kept.conditions
    return condition.message


def test_a_link_has_a_service_an_endpoint_and_names(aws: Cloud) -> None:
    ground = Ground(aws)
    kept = ground.keep()
    assert kept.works
    [service], [endpoint] = ground.services(), ground.endpoints()
    assert not service["AcceptanceRequired"]
    assert {each["Key"]: each["Value"] for each in service["Tags"]} == {
        "owner": "me",
        "hypershift.openshift.io/cluster-uid": OWNER,
    }
    assert ground.principals() == {
        f"arn:aws:iam::{ACCOUNT}:role/demo-abcde-control-plane-operator",
        "arn:aws:iam::123456789012:root",
    }
    assert endpoint["ServiceName"] == service["ServiceName"]
    assert endpoint["VpcEndpointType"] == "Interface"
    assert sorted(endpoint["SubnetIds"]) == sorted(ground.subnets[:2])
    [group] = ground.groups().values()
    assert group["GroupName"] == "demo-abcde-vpce-private-router"
    assert [each["GroupId"] for each in endpoint["Groups"]] == [group["GroupId"]]
    [rule] = group["IpPermissions"]
    assert (rule["IpProtocol"], rule["FromPort"], rule["ToPort"]) == ("tcp", 443, 443)
    assert [each["CidrIp"] for each in rule["IpRanges"]] == ["10.0.0.0/16"]
    target = endpoint["DnsEntries"][0]["DnsName"]
    assert ground.records() == {f"api.{ZONE}.": target, f"*.apps.{ZONE}.": target}
    assert kept.target == target
    status = ground.link()["status"]
    assert status == {
        "endpointServiceName": service["ServiceName"],
        "endpointID": endpoint["VpcEndpointId"],
        "securityGroupID": group["GroupId"],
        "dnsNames": [f"api.{ZONE}", f"*.apps.{ZONE}"],
        "dnsZoneID": ground.zone,
    }


def test_a_second_look_changes_nothing(aws: Cloud) -> None:
    ground = Ground(aws)
    ground.keep()
    before = dict(ground.link()["status"])
    aws.calls.clear()
    assert ground.keep().works
    assert ground.link()["status"] == before
    changing = ("Create", "Delete", "Modify", "Authorize", "Revoke", "POST /2013")
    assert not [name for name in aws.calls if name.startswith(changing)]


def test_nothing_is_left_of_a_link_that_is_removed(aws: Cloud) -> None:
    ground = Ground(aws)
    ground.keep()
    ground.remove()
    assert ground.is_empty()
    ground.remove()


def test_an_api_server_before_a_load_balancer_has_a_link_of_its_own(aws: Cloud) -> None:
    ground = Ground(aws, by="LoadBalancer")
    for name in (API, ROUTER):
        assert ground.keep(name).works
    assert sorted(ground.groups()) == [
        "demo-abcde-vpce-kube-apiserver-private",
        "demo-abcde-vpce-private-router",
    ]
    [rule] = ground.groups()["demo-abcde-vpce-kube-apiserver-private"]["IpPermissions"]
    assert rule["FromPort"] == 6443
    records = ground.records()
    assert sorted(records) == [f"*.apps.{ZONE}.", f"api.{ZONE}."]
    assert len(set(records.values())) == 2
    for name in (API, ROUTER):
        ground.remove(name)
    assert ground.is_empty()


def test_an_endpoint_follows_the_subnets_of_nodes_one_in_each_zone(aws: Cloud) -> None:
    ground = Ground(aws)
    ground.link(subnets=1)
    ground.keep()
    ground.link()["spec"]["subnetIDs"] = ground.subnets
    assert ground.keep_endpoint().works
    [endpoint] = ground.endpoints()
    in_b = min(ground.subnets[1:])
    assert sorted(endpoint["SubnetIds"]) == sorted([ground.subnets[0], in_b])
    ground.link()["spec"]["subnetIDs"] = []
    assert ground.keep_endpoint().works
    [endpoint] = ground.endpoints()
    assert len(endpoint["SubnetIds"]) == 2


@pytest.mark.parametrize("forgotten", [(), ("endpointServiceName",), ("endpointID", "dnsZoneID")])
def test_what_nobody_wrote_down_is_found_and_removed(
    aws: Cloud, forgotten: tuple[str, ...]
) -> None:
    ground = Ground(aws)
    ground.keep()
    known = {name: ground.link()["status"].pop(name) for name in forgotten}
    if "endpointServiceName" in forgotten:
        assert ground.keep_service().works
        assert ground.link()["status"]["endpointServiceName"] == known["endpointServiceName"]
    else:
        assert ground.keep_endpoint().works
    assert (len(ground.services()), len(ground.endpoints())) == (1, 1)
    ground.link()["status"].clear()
    ground.link()["status"].update({})
    ground.remove()
    assert ground.is_empty()


def test_parts_that_somebody_deleted_are_made_again(aws: Cloud) -> None:
    ground, ec2 = Ground(aws), aws.client("ec2")
    ground.keep()
    [endpoint], [service] = ground.endpoints(), ground.services()
    ec2.delete_vpc_endpoints(VpcEndpointIds=[endpoint["VpcEndpointId"]])
    kept = ground.keep_endpoint()
    assert said(kept) == f"endpoint with id {endpoint['VpcEndpointId']} not found, resetting status"
    assert "endpointID" not in ground.link()["status"]
    assert ground.keep_endpoint().works
    ec2.delete_vpc_endpoints(VpcEndpointIds=[ground.link()["status"]["endpointID"]])
    ec2.delete_vpc_endpoint_service_configurations(ServiceIds=[service["ServiceId"]])
    assert "not found, resetting status" in said(ground.keep_service())
    assert ground.keep_service().works
    ground.link()["status"].pop("endpointID")
    assert ground.keep_endpoint().works
    assert len(ground.services()) == 1


def test_an_endpoint_of_another_service_is_replaced(aws: Cloud) -> None:
    ground = Ground(aws)
    ground.keep()
    old = ground.link()["status"]["endpointID"]
    other = aws.client("ec2").create_vpc_endpoint_service_configuration(
        NetworkLoadBalancerArns=[
            aws.client("elbv2").create_load_balancer(
                Name="other-x", Type="network", Subnets=[ground.far["SubnetId"]]
            )["LoadBalancers"][0]["LoadBalancerArn"]
        ]
    )
    named = other["ServiceConfiguration"]["ServiceName"]
    ground.link()["status"]["endpointServiceName"] = named
    assert "is not pointing to the existing .Status.EndpointServiceName" in said(
        ground.keep_endpoint()
    )
    assert ground.keep_endpoint().works
    [endpoint] = ground.endpoints()
    assert endpoint["VpcEndpointId"] != old
    assert endpoint["ServiceName"] == named


def test_a_load_balancer_that_is_not_there_is_waited_for(aws: Cloud) -> None:
    ground = Ground(aws)
    ground.link()["spec"]["networkLoadBalancerName"] = "absent"
    assert said(ground.keep_service()) == "load balancer absent not found"
    facts = ServiceFacts(ground.link(), NOW)
    assert asyncio.run(ground.service.remove(facts)) == ""


def test_a_forged_name_of_a_service_changes_nothing_of_another_cluster(aws: Cloud) -> None:
    """Who runs in a control plane namespace may write the status of its links."""
    ground = Ground(aws)
    assert ground.keep_service().works
    [victim], before = ground.services(), ground.principals()
    ground.link(API)["status"]["endpointServiceName"] = victim["ServiceName"]
    assert "not found, resetting status" in said(ground.keep_service(API))
    assert ground.principals() == before
    for owner in ("", "uid-of-the-forger"):
        named = {"endpointServiceName": victim["ServiceName"]}
        for link in (ground.link(API), ground.link(ROUTER)):
            for status in (named, {}):
                facts = ServiceFacts({**link, "status": status}, NOW, owner=owner)
                assert asyncio.run(ground.service.remove(facts)) == ""
    assert [each["ServiceName"] for each in ground.services()] == [victim["ServiceName"]]
    assert ground.principals() == before


def test_a_zone_that_is_not_there_is_waited_for(aws: Cloud) -> None:
    ground = Ground(aws)
    aws.client("route53").delete_hosted_zone(Id=ground.zone)
    assert said(ground.keep()) == f"hosted zone {ZONE} not found"
    assert "endpointID" in ground.link()["status"]
    ground.remove()
    assert ground.endpoints() == []


@pytest.mark.parametrize("seed", range(12))
def test_faults_leave_nothing_behind(
    aws: Cloud, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Answers are lost, throttled and refused: it is made once, and all of it is removed."""
    monkeypatch.setattr("hypershift.cloud.stores.http.PAUSES", ())
    ground = Ground(aws, by="Route" if seed % 2 else "LoadBalancer")
    names = (ROUTER,) if seed % 2 else (API, ROUTER)
    for name in names:
        ground.link(name)
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
        until(lambda n=name, a=attempts: tried(lambda: ground.keep_service(n).works, next(a)))  # type: ignore[misc]
        attempts = iter(range(30))
        until(lambda n=name, a=attempts: tried(lambda: ground.keep_endpoint(n).works, next(a)))  # type: ignore[misc]
    assert len(ground.services()) == len(ground.endpoints()) == len(ground.groups()) == len(names)
    for name in names:
        if seed % 3 == 0:
            ground.link(name)["status"].clear()
        facts, whole = ground.facts(name), ServiceFacts(ground.link(name), NOW, owner=OWNER)
        attempts = iter(range(30))
        until(
            lambda f=facts, a=attempts: tried(  # type: ignore[misc]
                lambda: asyncio.run(ground.endpoint.remove(f)) == "", next(a)
            )
        )
        attempts = iter(range(30))
        until(
            lambda w=whole, a=attempts: tried(  # type: ignore[misc]
                lambda: asyncio.run(ground.service.remove(w)) == "", next(a)
            )
        )
    assert ground.is_empty()


def test_in_a_shared_network_the_roles_of_its_owner_do_the_work(aws: Cloud) -> None:
    """Network and zone are another account's: the cluster's own has neither."""
    ground = Ground(aws)
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
    assert ground.keep_service().works
    ground.link()["spec"]["subnetIDs"] = [subnet]
    spec = ground.spec()
    shared = {
        "localZoneID": zone,
        "rolesRef": {"controlPlaneARN": roles["endpoints"], "ingressARN": roles["records"]},
    }
    spec["platform"]["aws"] |= {"sharedVPC": shared, "cloudProviderConfig": {"vpc": vpc}}
    plane = read(HostedControlPlane, {"metadata": {"name": "demo"}, "spec": spec})
    facts = EndpointFacts(ground.link(), NOW, plane, token, CREDENTIALS)
    side = AwsEndpoint()
    kept = ground.written(ROUTER, asyncio.run(side.keep(facts)))
    assert kept.works, said(kept)
    [endpoint] = ec2.describe_vpc_endpoints()["VpcEndpoints"]
    assert endpoint["SubnetIds"] == [subnet]
    assert ground.endpoints() == []
    found = route53.list_resource_record_sets(HostedZoneId=zone)["ResourceRecordSets"]
    assert {each["Type"] for each in found} >= {"CNAME"}
    assert ground.records() == {}
    until(lambda: asyncio.run(side.remove(facts)) == "")
    left = ec2.describe_vpc_endpoints()["VpcEndpoints"]
    assert [each for each in left if each["State"] != "deleted"] == []
    found = route53.list_resource_record_sets(HostedZoneId=zone)["ResourceRecordSets"]
    assert "CNAME" not in {each["Type"] for each in found}
