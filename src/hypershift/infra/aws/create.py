"""Make a cluster's network on AWS and describe it as `--infra-json` takes it."""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from hypershift.cloud.aws import Account
from hypershift.infra.apply import Progress, apply
from hypershift.infra.aws import network, proxy, routes, sharing, zones
from hypershift.infra.aws.look import Accounts, World, look
from hypershift.infra.aws.permissions import missing_permissions
from hypershift.infra.aws.piece import AwsPiece
from hypershift.infra.aws.wanted import Wanted, check
from hypershift.infra.plan import Ids, Plan, plan
from hypershift.kit import Clock, Secret, UsageError


@dataclass(frozen=True, slots=True)
class Keys:
    """The SSH keys of a proxy; only the run that makes the proxy knows the private one."""

    public: str = ""
    private: Secret[bytes] | None = None


@dataclass(frozen=True, slots=True)
class Network:
    """A network that is there: what was wanted, and the ids of its pieces."""

    wanted: Wanted
    ids: Ids
    world: World
    keys: Keys = Keys()
    proxy_ca: str = ""
    made_proxy: bool = False

    def output(self) -> dict[str, Any]:
        """The description, key for key as the original writes it."""
        wanted, ids = self.wanted, self.ids
        side = "public" if wanted.public_only else "private"
        cluster, owner = self.world.accounts
        plain, secure = self._proxies()
        private = self.keys.private if self.made_proxy else None
        return {
            "region": wanted.region,
            "zone": "",
            "infraID": wanted.infra_id,
            "machineCIDR": wanted.cidr,
            "vpcID": ids["vpc"],
            "zones": [
                {"name": zone, "subnetID": ids[f"{side}-subnet-{zone}"]} for zone in wanted.zones
            ],
            "Name": wanted.name,
            "baseDomain": wanted.base_domain,
            "baseDomainPrefix": wanted.base_domain_prefix,
            "publicZoneID": zones.public_zone(self.world, wanted),
            "privateZoneID": ids[zones.PRIVATE],
            "localZoneID": ids[zones.LOCAL],
            "proxyAddr": plain,
            "secureProxyAddr": secure,
            "proxyPrivateSSHKey": proxy.encoded(private.reveal()) if private else "",
            "publicOnly": wanted.public_only,
            "proxyCA": self.proxy_ca,
            "vpcCreatorAccountID": owner,
            "clusterAccountID": cluster,
        }

    def _proxies(self) -> tuple[str, str]:
        if not self.wanted.has_proxy:
            return "", ""
        address = self.proxy_address
        secure = self.wanted.secure_proxy and not self.wanted.proxy_service
        return f"http://{address}:{proxy.PORT}", (
            f"https://{address}:{proxy.PORT}" if secure else ""
        )

    @property
    def proxy_address(self) -> str:
        identity = self.ids["proxy"]
        for each in self.world.endpoints:
            if each["VpcEndpointId"] == identity:
                return str(each["DnsEntries"][0]["DnsName"])
        return str(self.proxy_machine["PrivateIpAddress"])

    @property
    def proxy_machine(self) -> dict[str, Any]:
        """The proxy as AWS describes it; empty without one of ours."""
        found = (
            each for each in self.world.instances if each["InstanceId"] == self.ids.get("proxy")
        )
        return next(found, {})


def pieces(wanted: Wanted, public_key: str = "") -> tuple[AwsPiece, ...]:
    """Everything that a cluster's network on AWS is made of, in order of dependence."""
    return (
        *network.pieces(wanted),
        *routes.pieces(wanted),
        *(sharing.pieces(wanted) if wanted.shared else ()),
        *zones.pieces(wanted),
        *(proxy.pieces(wanted, public_key) if wanted.has_proxy else ()),
    )


def planned(
    accounts: Accounts, wanted: Wanted, public_key: str = ""
) -> tuple[Wanted, World, Plan[World, Accounts]]:
    """Look and plan; nothing is changed."""
    check(wanted)
    wanted, world, problems = _looked(accounts, wanted)
    if problems:
        raise UsageError("; ".join(problems))
    return wanted, world, plan(pieces(wanted, public_key), world)


def problems_of_account(accounts: Accounts, wanted: Wanted) -> list[str]:
    """Say what stands in the way of a network: zones, domain, ranges, permissions."""
    wanted, world, problems = _looked(accounts, wanted)
    return problems if world.vpcs else [*problems, *missing_permissions(accounts.owner, wanted)]


def _looked(accounts: Accounts, wanted: Wanted) -> tuple[Wanted, World, list[str]]:
    """Look at zones, domain and what is there; the first zone is chosen when none is named."""
    there = _zone_names(accounts.owner)
    wanted = wanted if wanted.zones else replace(wanted, zones=there[:1])
    world = look(accounts, wanted)
    problems = [*_unknown_zones(wanted, there), *_other_ranges(world, wanted)]
    try:
        zones.public_zone(world, wanted)
    except UsageError as error:
        problems.append(str(error))
    return wanted, world, problems


async def create_network(
    accounts: Accounts,
    wanted: Wanted,
    *,
    log: Progress,
    clock: Clock,
    keys: Callable[[], Keys] = Keys,
) -> Network:
    """Make what is missing of a network; a second run finds everything and makes nothing."""
    own = await asyncio.to_thread(keys) if wanted.has_proxy else Keys()
    wanted, world, steps = await asyncio.to_thread(planned, accounts, wanted, own.public)
    ids = await apply(steps, accounts, lambda: look(accounts, wanted), log=log, clock=clock)
    made_proxy = any(step.key == "proxy" for step in steps.steps)
    if made_proxy:  # only AWS knows its address
        world = await asyncio.to_thread(look, accounts, wanted)
    return Network(wanted, ids, world, own, made_proxy=made_proxy)


def _zone_names(account: Account) -> tuple[str, ...]:
    found = account.all("ec2", "describe_availability_zones", "AvailabilityZones")
    return tuple(
        sorted(
            each["ZoneName"]
            for each in found
            if each.get("ZoneType", "availability-zone") != "local-zone"
        )
    )


def _unknown_zones(wanted: Wanted, there: tuple[str, ...]) -> Iterator[str]:
    own = (zone for zone in wanted.zones if zone.startswith(wanted.region))  # others: `check`
    unknown = [zone for zone in own if zone not in there]
    if unknown or not there:
        yield f"no zone {', '.join(unknown)} in region {wanted.region}; it has {', '.join(there)}"


def _other_ranges(world: World, wanted: Wanted) -> Iterator[str]:
    """Yield VPCs of this infra id that were made with another range or for another cluster."""
    for vpc in world.vpcs:
        if vpc["CidrBlock"] != wanted.cidr:
            yield (
                f"VPC {vpc['VpcId']} of infra id {wanted.infra_id} has range {vpc['CidrBlock']}, "
                f"not {wanted.cidr}: give --vpc-cidr {vpc['CidrBlock']}, or destroy it first"
            )
