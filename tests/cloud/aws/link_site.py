"""Where private links are made: a cluster's VPC, and a load balancer of the management cluster."""

import asyncio
from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from tests.cloud.aws.server import Cloud

from hypershift.api import HostedCluster, HostedControlPlane, read
from hypershift.cloud.aws import Query, Zones
from hypershift.cloud.stores import Keys
from hypershift.kit import Manifest, Secret
from hypershift.platforms import EndpointFacts, LinkKept, ServiceFacts
from hypershift.platforms.aws.private_link import AwsEndpoint, AwsService, spec_of
from hypershift.platforms.aws.private_link.session import Session

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
class LinkSite:
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
