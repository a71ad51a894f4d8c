"""What stands on a cluster before an installation: kinds, definitions, a Cluster API manager."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from hypershift.cli.install.crds import CORE
from hypershift.cli.install.operator import CLI_VERSION
from hypershift.cli.install.provider_kinds import provider_kinds
from hypershift.kit import Manifest
from hypershift.kube import Client, kinds

MANAGER = "hypershift"
#: The label that all installations of Cluster API carry.
PROVIDER = "cluster.x-k8s.io/provider"
CORE_PROVIDER = f"{PROVIDER}=cluster-api"


@dataclass(frozen=True)
class Installed:
    """What was found."""

    groups: frozenset[str] = frozenset()
    definitions: Mapping[str, Manifest] = field(default_factory=dict)
    #: The Deployment of a Cluster API manager, wherever it runs.
    manager: Manifest | None = None

    @property
    def adopts(self) -> bool:
        """Whether a Cluster API that we did not install is there, which is then used unchanged."""
        return self.manager is not None and not made_by_us(self.manager)

    def leaves_unchanged(self, definition: Manifest) -> bool:
        """Whether a definition is left unchanged: another project's if we did not install it."""
        found = self.definitions.get(definition["metadata"]["name"])
        if found is None or made_by_us(found):
            return False
        return definition["spec"]["group"] in CORE or is_of_provider(definition)


def made_by_us(manifest: Manifest) -> bool:
    """Whether an object comes from `install` or from what it rendered."""
    if CLI_VERSION in (manifest["metadata"].get("annotations") or {}):
        return True
    managers = manifest["metadata"].get("managedFields") or ()
    return any(each.get("manager") == MANAGER for each in managers)


def is_of_provider(definition: Manifest) -> bool:
    """Whether a definition is one of an infrastructure provider's, whose schemas are its own."""
    name = definition["metadata"]["name"]
    return any(each["metadata"]["name"] == name for each in provider_kinds(frozenset()))


def is_open(definition: Manifest) -> bool:
    """Whether a definition has no schema, as ours of the providers' kinds."""
    schemas = (each.get("schema", {}).get("openAPIV3Schema", {}) for each in _versions(definition))
    return all("properties" not in schema for schema in schemas)


def _versions(definition: Manifest) -> list[Manifest]:
    versions: list[Manifest] = definition["spec"]["versions"]
    return versions


async def look(client: Client) -> Installed:
    """Ask the cluster."""
    groups = json.loads(await client.raw("GET", "/apis"))["groups"]
    definitions = await client.list(kinds.CUSTOM_RESOURCE_DEFINITION)
    managers = await client.list(kinds.DEPLOYMENT, labels=CORE_PROVIDER)
    return Installed(
        groups=frozenset(each["name"] for each in groups),
        definitions={each["metadata"]["name"]: each for each in definitions},
        manager=next(iter(managers), None),
    )
