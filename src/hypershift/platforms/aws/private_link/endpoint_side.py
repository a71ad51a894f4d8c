"""The endpoint of a link and its names: what is kept, removed and reported."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial

from hypershift.api import AWSEndpointService, HostedControlPlane, read
from hypershift.api.conditions import HostedClusterCondition, Reason, true
from hypershift.api.platforms.aws import AWSPlatform
from hypershift.api.well_known import PRIVATE_ROUTER
from hypershift.kit import HypershiftError, Secret, TransientError, data_of
from hypershift.platforms.aws.credentials import KEY, role_in
from hypershift.platforms.aws.private_link import endpoint, names
from hypershift.platforms.aws.private_link.report import failed
from hypershift.platforms.aws.private_link.session import Remembered, Session, of_cluster
from hypershift.platforms.links import EndpointFacts, LinkKept

ENDPOINT = HostedClusterCondition.AWS_ENDPOINT_AVAILABLE
#: The account of the hosted cluster that the control plane operator's role trusts.
ACCOUNT, AUDIENCE = ("kube-system", "control-plane-operator"), "openshift"
Login = Callable[[str, Secret[str], HostedControlPlane], Session]


@dataclass
class AwsEndpoint:
    """The endpoint and its names, in the account of the hosted cluster."""

    login: Login = of_cluster
    _session: Remembered = field(default_factory=Remembered)

    async def keep(self, facts: EndpointFacts) -> LinkKept:
        """Make security group, endpoint and records."""
        link = read(AWSEndpointService, facts.link)
        made: dict[str, object] = {}
        try:
            wanted = _wanted_endpoint(link, facts.plane)
            session = await self._login(facts)
            group = await asyncio.to_thread(endpoint.ensure_group, session.aws, wanted)
            made["securityGroupID"] = group
            known = link.status.endpoint_id or ""
            found = await asyncio.to_thread(endpoint.ensure, session.aws, wanted, group, known)
            made["endpointID"] = found.id
            if not found.dns_name:
                raise TransientError(f"endpoint {found.id} has no DNS name yet")
            made |= await asyncio.to_thread(_named, session, link, facts.plane, found.dns_name)
        except endpoint.Resets as error:
            return failed(ENDPOINT, error, **made, endpointID=None)
        except names.NoZone as error:
            return failed(ENDPOINT, error, **made, dnsZoneID=None)
        except HypershiftError as error:
            self._session.forget()
            return failed(ENDPOINT, error, **made)
        target = found.dns_name if link.metadata.name == PRIVATE_ROUTER else ""
        return LinkKept((true(ENDPOINT, "", Reason.AWS_SUCCESS),), made, target)

    async def remove(self, facts: EndpointFacts) -> str:
        """Delete endpoint, security group and records."""
        link = read(AWSEndpointService, facts.link)
        try:
            wanted = _wanted_endpoint(link, facts.plane)
            session = await self._login(facts)
            known = link.status.endpoint_id or ""
            if left := await asyncio.to_thread(endpoint.remove, session.aws, wanted, known):
                return left
            known = link.status.dns_zone_id or ""
            name = link.metadata.name
            await asyncio.to_thread(names.remove, session.zones, name, facts.plane, known)
        except HypershiftError:
            self._session.forget()
            raise
        return ""

    async def _login(self, facts: EndpointFacts) -> Session:
        role = role_in(data_of(facts.credentials, KEY).decode(errors="replace"))
        if not role:
            raise TransientError("the credentials of the control plane operator name no role yet")
        who = f"{role} {facts.plane.spec.platform.aws}"
        remembered = self._session.current(facts.now, who)
        if remembered is not None:
            return remembered
        token = await facts.tokens(*ACCOUNT, AUDIENCE)
        make = partial(self.login, role, token, facts.plane)
        return await asyncio.to_thread(self._session.get, facts.now, who, make)


def _named(
    session: Session, link: AWSEndpointService, plane: HostedControlPlane, target: str
) -> Mapping[str, object]:
    known = link.status.dns_zone_id or ""
    named = names.ensure(session.zones, link.metadata.name, plane, target, known)
    return {"dnsNames": list(named.names), "dnsZoneID": named.zone} if named else {}


def _wanted_endpoint(link: AWSEndpointService, plane: HostedControlPlane) -> endpoint.Wanted:
    spec, section = plane.spec, _section(plane)
    if section.cloud_provider_config is None:
        raise TransientError("AWS platform information not provided in HostedControlPlane")
    machines = spec.networking.machine_network if spec.networking else ()
    return endpoint.Wanted(
        link=link.metadata.name,
        infra_id=spec.infra_id,
        vpc=section.cloud_provider_config.vpc,
        service=link.status.endpoint_service_name or "",
        port=names.port_of(link.metadata.name),
        subnets=link.spec.subnet_ids,
        machines=tuple(each.cidr for each in machines or ()),
        tags={tag.key: tag.value for tag in section.resource_tags},
    )


def _section(plane: HostedControlPlane) -> AWSPlatform:
    section = plane.spec.platform.aws
    if section is None:
        raise TransientError("the control plane has no spec.platform.aws")
    return section
