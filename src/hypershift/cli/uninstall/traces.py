"""Recognises what an installation of ours created on a cluster."""

from hypershift.cli.install.crds import CORE, LOCAL_GROUP
from hypershift.cli.install.installed import Installed, is_of_provider, is_open, made_by_us
from hypershift.kit import Manifest
from hypershift.kube import Client, kinds
from hypershift.local.addons import cluster_api_objects
from hypershift.local.addons.install import MANAGER as EMBEDDED
from hypershift.operators.hypershift.hosted_cluster.rules import cluster_api as own_manager
from hypershift.operators.hypershift.hosted_cluster.rules import dedicated

GROUP = "hypershift.openshift.io"


def definitions(standing: Installed, namespace: str) -> list[Manifest]:
    """Our definitions, and those of Cluster API and its providers that an installation brought."""
    return [each for each in standing.definitions.values() if _is_ours(each, standing, namespace)]


def _is_ours(definition: Manifest, standing: Installed, namespace: str) -> bool:
    group = definition["spec"]["group"]
    if group == GROUP or group.endswith(f".{GROUP}"):
        return True
    if group == LOCAL_GROUP:
        return not _of_embedded_cluster(definition)
    if group in CORE:  # another manager of Cluster API needs them
        ours = made_by_us(definition) or _converted_by_us(definition, namespace)
        return ours and not standing.adopts
    return is_of_provider(definition) and (made_by_us(definition) or is_open(definition))


def _of_embedded_cluster(definition: Manifest) -> bool:
    """Whether `local up` wrote a definition: its machines need it, with or without an operator."""
    managers = definition["metadata"].get("managedFields") or ()
    return any(each.get("manager") == EMBEDDED for each in managers)


def _converted_by_us(definition: Manifest, namespace: str) -> bool:
    """Whether objects are converted by our operator, as an installation from a file asks it."""
    webhook = (definition["spec"].get("conversion") or {}).get("webhook") or {}
    service = (webhook.get("clientConfig") or {}).get("service") or {}
    return (service.get("namespace"), service.get("name")) == (namespace, "operator")


def cluster_api(standing: Installed) -> list[Manifest]:
    """The manager that an installation brought; another one only loses our rights."""
    found = list(reversed(cluster_api_objects("")))
    if standing.manager is not None and made_by_us(standing.manager):
        return found
    return [each for each in found if each["metadata"]["name"] == "capi-hypershift-role"]


async def runtime_traces(client: Client) -> list[Manifest]:
    """What the operator itself made for the whole cluster."""
    roles = [dedicated.cluster_role(), own_manager.cluster_role()]
    ours = {role["metadata"]["name"] for role in roles}
    bindings = await client.list(kinds.CLUSTER_ROLE_BINDING)
    return [*(each for each in bindings if each["roleRef"]["name"] in ours), *roles]
