"""Host names of Services: the resolver of the embedded cluster serves what external-dns would.

Only names below one domain are served: otherwise a user who creates Services could redirect all
machines of this host, for example to another registry.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from hypershift.api.annotations import EXTERNAL_DNS_HOSTNAME
from hypershift.kit import Manifest, annotations_of, key_of
from hypershift.kube import kinds
from hypershift.kube.services import load_balancer_address
from hypershift.local.cluster.plan import Plan
from hypershift.local.cluster.state import write_file
from hypershift.local.controllers.balancer import is_ours
from hypershift.local.controllers.loop import Caches
from hypershift.local.host.names import HostNames
from hypershift.local.units import resolver

RESOURCES = (kinds.SERVICE,)
_LABEL = r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?"
_BELOW = re.compile(rf"({_LABEL}\.)+{re.escape(resolver.HOSTED_DOMAIN)}")


def addresses(services: Iterable[Manifest]) -> dict[str, str]:
    """Where each name leads; a name that two Services claim belongs to the older one.

    A Service may lead to the address of another one: that of the ingress that clusters share.
    """
    found: dict[str, str] = {}
    known = tuple(services)
    balanced = {load_balancer_address(each) for each in known if is_ours(each)}
    for service in sorted(known, key=_age):
        leads = str(service["spec"].get("externalName", ""))
        address = load_balancer_address(service) if is_ours(service) else leads
        if address not in balanced:
            continue
        for name in annotations_of(service).get(EXTERNAL_DNS_HOSTNAME, "").split(","):
            written = name.strip().lower()
            if address and len(written) < 254 and _BELOW.fullmatch(written):  # noqa: PLR2004 - DNS
                found.setdefault(written, address)
    return found


def _age(service: Manifest) -> tuple[str, str]:
    return service["metadata"].get("creationTimestamp", ""), str(key_of(service))


@dataclass(frozen=True, slots=True)
class Names:
    """The files that the resolver and the host itself read names from."""

    plan: Plan
    file: Path
    host: HostNames

    async def sync(self, caches: Caches) -> None:
        """Write what Services are called, if that has changed."""
        found = addresses(caches[kinds.SERVICE].values())
        text = resolver.hosts(self.plan, found)
        if not self.file.exists() or self.file.read_text() != text:
            write_file(self.file, text)
        self.host.keep(found)
