"""What the roles of a process are given, and the types by which they are put together."""

import json
from collections.abc import Callable, Iterable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any

from hypershift.kube import Client, Forbidden, NotFound, Resource
from hypershift.operators.hypershift.operator_image import Images
from hypershift.operators.hypershift.settings import Settings
from hypershift.platforms import Links, made_links
from hypershift.release import Lookup
from hypershift.runtime import Controller, Manager

#: Seconds that a lease lasts, is renewed within, and between attempts. They are long, so that a
#: management cluster that is short of processor time keeps its leader.
ELECTION = (60.0, 40.0, 10.0)
OPENSHIFT, ROUTES = "config.openshift.io", "route.openshift.io"


@dataclass(frozen=True)
class Workbench:
    """What every role that runs in the operator's process is given."""

    settings: Settings
    client: Client
    releases: Lookup
    groups: frozenset[str]  # the API groups that the management cluster serves
    images: Images | None = None  # where the labels of images are read
    backups: bool = False  # the management cluster serves HCPEtcdBackups, a preview
    audit_logs: bool = False  # it serves AuditLogPersistenceConfigs, and they are looked after
    links: tuple[Links, ...] = ()  # private links that it has a kind for

    @property
    def openshift(self) -> bool:
        """Whether the management cluster is OpenShift."""
        return OPENSHIFT in self.groups

    @property
    def has_routes(self) -> bool:
        """Whether the management cluster knows Routes."""
        return ROUTES in self.groups


Role = Callable[[Workbench], Iterable[Controller[Any]]]
Service = Callable[[Workbench, Manager], AbstractAsyncContextManager[Any]]


async def served_groups(client: Client) -> frozenset[str]:
    """The API groups that a cluster serves."""
    answer = json.loads(await client.raw("GET", "/apis"))
    return frozenset(group["name"] for group in answer.get("groups") or ())


async def served_links(client: Client, namespace: str = "") -> tuple[Links, ...]:
    """The clouds' private links that a cluster has a kind for and that we may see.

    A HyperShift operator that is older than a control plane's gives its Role no links; a watch that
    is refused would keep all of the control plane waiting.
    """
    found = [one for one in made_links() if await serves(client, one.resource)]
    return tuple([one for one in found if await _may_list(client, one.resource, namespace)])


async def _may_list(client: Client, resource: Resource, namespace: str) -> bool:
    try:
        await client.list(resource, namespace)
    except Forbidden:
        return False
    return True


async def serves(client: Client, resource: Resource) -> bool:
    """Whether a cluster serves a kind of ours."""
    path = f"/apis/{resource.api_version}"
    try:
        answer = json.loads(await client.raw("GET", path))
    except NotFound:
        return False
    return any(one["name"] == resource.plural for one in answer.get("resources") or ())
