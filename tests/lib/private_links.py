"""Private clusters on AWS, and both clouds of their links as operators see them."""

import random
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from tests.lib import planes
from tests.lib.aws import ROLES, WithProvider, routed
from tests.lib.planes import Releases, a_cluster

from hypershift.api.conditions import ControlPlaneCondition, HostedClusterCondition, Reason, true
from hypershift.api.conditions import false as untrue
from hypershift.kit import Key, Manifest, TransientError, key_of
from hypershift.kube import kinds
from hypershift.operators.controlplane.accounts import Accounts
from hypershift.operators.hypershift import Settings, private_link
from hypershift.platforms import (
    AccountFacts,
    Cleaned,
    EndpointFacts,
    Kept,
    LinkKept,
    ServiceFacts,
    made_links,
)
from hypershift.runtime import Controller

LINK = kinds.AWS_ENDPOINT_SERVICE
SERVICE = HostedClusterCondition.AWS_ENDPOINT_SERVICE_AVAILABLE
ENDPOINT = HostedClusterCondition.AWS_ENDPOINT_AVAILABLE
SOON = timedelta(seconds=20)


@dataclass
class Clouds:
    """Both accounts: services by link, endpoints by link, and how often each was made."""

    services: dict[Key, tuple[str, ...]] = field(default_factory=dict)
    balancers: set[str] = field(default_factory=set)
    endpoints: dict[Key, tuple[str, ...]] = field(default_factory=dict)
    rng: random.Random = field(default_factory=random.Random)
    trouble: float = 0.0
    trusted: bool = True
    asked: int = 0

    def login(self) -> None:
        """Refuse tokens that are not believed."""
        if not self.trusted:
            raise TransientError("not trusted")

    def suffer(self) -> None:
        """Fail as clouds do, before a call or after it."""
        self.asked += 1
        if self.rng.random() < self.trouble:
            raise TransientError("AWS does not answer")


@dataclass
class Service:
    """The half in the account of the management cluster."""

    clouds: Clouds

    async def keep(self, facts: ServiceFacts) -> LinkKept:
        key, clouds = key_of(facts.link), self.clouds
        try:
            clouds.suffer()
            clouds.services[key] = facts.subnets
            clouds.balancers.add(facts.link["spec"]["networkLoadBalancerName"])
            clouds.suffer()
        except TransientError as error:
            return LinkKept((untrue(SERVICE, Reason.AWS_ERROR, str(error)),), after=SOON)
        return LinkKept((true(SERVICE, "", Reason.AWS_SUCCESS),), {"endpointServiceName": str(key)})

    async def remove(self, facts: ServiceFacts) -> str:
        key = key_of(facts.link)
        self.clouds.suffer()
        if key in self.clouds.endpoints and self.clouds.trusted:
            return "connections"
        self.clouds.services.pop(key, None)
        return ""


@dataclass
class Endpoint:
    """The half in the account of the cluster."""

    clouds: Clouds

    async def keep(self, facts: EndpointFacts) -> LinkKept:
        key, clouds = key_of(facts.link), self.clouds
        try:
            clouds.login()
            clouds.suffer()
            clouds.endpoints[key] = tuple(facts.link["spec"].get("subnetIDs") or ())
            clouds.suffer()
        except TransientError as error:
            return LinkKept((untrue(ENDPOINT, Reason.AWS_ERROR, str(error)),), after=SOON)
        target = f"{key.name}.vpce.example.com" if key.name == "private-router" else ""
        made = {"endpointID": f"vpce-{key.name}"}
        return LinkKept((true(ENDPOINT, "", Reason.AWS_SUCCESS),), made, target)

    async def remove(self, facts: EndpointFacts) -> str:
        self.clouds.suffer()
        self.clouds.login()
        self.clouds.endpoints.pop(key_of(facts.link), None)
        return ""


@dataclass
class Account:
    """An account whose tokens are believed while the clouds say so."""

    clouds: Clouds

    async def keep(self, facts: AccountFacts) -> Kept:
        del facts
        kind = ControlPlaneCondition.VALID_AWS_IDENTITY_PROVIDER
        if not self.clouds.trusted:
            return Kept((untrue(kind, Reason.AWS_ERROR, "not trusted"),))
        return Kept((true(kind),))

    async def clean(self, facts: AccountFacts) -> Cleaned:
        del facts
        return Cleaned()


def controllers(clouds: Clouds) -> list[Controller[Any]]:
    """Those of hosted clusters and of both halves of links."""
    links = made_links()
    clusters = planes.controllers(
        Settings(image="registry.example/hypershift:1"),
        releases=WithProvider(Releases()),
        accounts=Accounts(make=lambda _: Account(clouds)),
        links=links,
        endpoints={LINK.kind: lambda: Endpoint(clouds)},
    )
    halves = private_link.Environment(links, {LINK.kind: Service(clouds)})
    return [*clusters, *private_link.controllers(halves)]


def private(name: str, access: str, *, by_route: bool = True) -> Manifest:
    """A cluster that its own network reaches; its API server by a Route or a load balancer."""
    section = {
        "region": "us-east-1",
        "rolesRef": ROLES,
        "endpointAccess": access,
        "cloudProviderConfig": {"vpc": "vpc-1", "subnet": {"id": "subnet-0"}},
    }
    ways = routed(name)
    if not by_route:
        ways[0]["servicePublishingStrategy"] = {"type": "LoadBalancer"}
    return a_cluster(
        name,
        platform={"type": "AWS", "aws": section},
        services=ways,
        infraID=f"{name}-abcde",
    )


def a_pool(cluster: str, subnet: str) -> Manifest:
    aws = {"instanceType": "m5.large", "subnet": {"id": subnet}}
    return {
        "apiVersion": kinds.NODE_POOL.api_version,
        "kind": "NodePool",
        "metadata": {"name": f"{cluster}-{subnet}", "namespace": "clusters"},
        "spec": {
            "clusterName": cluster,
            "replicas": 1,
            "release": {"image": "registry.example/release:1.34.9"},
            "platform": {"type": "AWS", "aws": aws},
        },
    }
