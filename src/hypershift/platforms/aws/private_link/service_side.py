"""The endpoint service of a link: what is kept, removed and reported."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from hypershift.api import AWSEndpointService, read
from hypershift.api.conditions import HostedClusterCondition, Reason, true
from hypershift.kit import HypershiftError, TransientError
from hypershift.platforms.aws.private_link import service
from hypershift.platforms.aws.private_link.report import failed
from hypershift.platforms.aws.private_link.session import (
    NoCredentials,
    Remembered,
    Session,
    of_operator,
)
from hypershift.platforms.links import LinkKept, ServiceFacts

SERVICE = HostedClusterCondition.AWS_ENDPOINT_SERVICE_AVAILABLE


@dataclass
class AwsService:
    """The endpoint service, in the account of the management cluster."""

    login: Callable[[], Session] = of_operator
    _session: Remembered = field(default_factory=Remembered)

    async def keep(self, facts: ServiceFacts) -> LinkKept:
        """Make the service and let the cluster's operator connect."""
        link = read(AWSEndpointService, facts.link)
        try:
            wanted = _wanted_service(link, facts)
            session = await asyncio.to_thread(self._session.get, facts.now, "", self.login)
            known = link.status.endpoint_service_name or ""
            name = await asyncio.to_thread(service.ensure, session.aws, wanted, known)
        except service.Lost as error:
            return failed(SERVICE, error, endpointServiceName=None)
        except HypershiftError as error:
            self._session.forget()
            return failed(SERVICE, error)
        said = true(SERVICE, "", Reason.AWS_SUCCESS)
        return LinkKept((said,), {"endpointServiceName": name})

    async def remove(self, facts: ServiceFacts) -> str:
        """Delete the service, once nothing is connected to it."""
        link = read(AWSEndpointService, facts.link)
        known, balancer = link.status.endpoint_service_name, link.spec.network_load_balancer_name
        try:
            session = await asyncio.to_thread(self._session.get, facts.now, "", self.login)
            given = (session.aws, known or "", balancer, facts.owner)
            return await asyncio.to_thread(service.remove, *given)
        except NoCredentials:
            if known:
                raise
            return ""  # without keys none was made
        except HypershiftError:
            self._session.forget()
            raise


def _wanted_service(link: AWSEndpointService, facts: ServiceFacts) -> service.Wanted:
    section = facts.cluster.spec.platform.aws if facts.cluster else None
    if section is None:
        raise TransientError("the hosted cluster has no spec.platform.aws")
    role = section.roles_ref.control_plane_operator_arn
    if not role:
        raise TransientError("hosted cluster does not have control plane operator credentials")
    tags = {tag.key: tag.value for tag in link.spec.resource_tags}
    if facts.management:
        tags[f"kubernetes.io/cluster/{facts.management}"] = "owned"
    allowed = {service.principal(role), *section.additional_allowed_principals}
    balancer = link.spec.network_load_balancer_name
    return service.Wanted(balancer, frozenset(allowed), tags, facts.owner)
