"""Machines of platform Azure: the AzureMachineTemplate of a pool."""

from hypershift.api import read, replace
from hypershift.api.node_pool import (
    AzureDiagnostics,
    AzureImage,
    AzureMarketplaceImage,
    AzureNodePool,
    AzureOSDisk,
)
from hypershift.kit import InvalidSpec, Manifest
from hypershift.kube import Resource
from hypershift.platforms.azure import marketplace, subnet
from hypershift.platforms.machines import PoolFacts, SimpleMachines, Template, filled, named_by

RESOURCE = Resource(
    "infrastructure.cluster.x-k8s.io", "v1beta1", "azuremachinetemplates", "AzureMachineTemplate"
)
#: Azure asks for a key; nobody has the other half of this one, which the original uses as well:
#: another one would be another template, and roll every pool.
SSH_KEY = (
    "c3NoLXJzYSBBQUFBQjNOemFDMXljMkVBQUFBREFRQUJBQUFCQVFDTGFjOTR4dUE4QjkyMEtjejhKNjhUdmZCRjQy"
    "R2UwUllXSUx3Lzd6dDhUQlU5ell5Q0Q2K0ZlekFwWndLRjB1V3luMGVBQmlBWVdIV0tKbENxS0VIT2hOQmV2Mkx3"
    "S0dnZHFqM0dvcHV2N3RpZFVqSVpqYi9DVWtjQVRZUWhMWkxVTCs3eWkzRThKNHdhYkxEMWVNS1p1U3ZmMUsxT0Rw"
    "VUFXYTkwbWVmR0FBOVdIVEhMcnF1UUpWdC9JT0JKN1ROZFNwMDVuM0Ywa29xZlE2empwRlFYMk8zaWJUc29yR3ZE"
    "ekdhYS9yUENxQWhTSjRJaEhnMDNVb3FBbVlraW51NTFvVEcxRlRXaTh2b00vRVJ4TlduamNUSElET1JmYmo2bFVy"
    "Z3Zkci9MZGtqc2dFcENiNEMxUS9IbW5MRHVpTEdPM2tNZ2cyOHFzZ0ZmTHloUjl3ay8K"
)
_PROVIDER = "azure://"


class AzureMachines(SimpleMachines):
    """Templates of Azure's virtual machines."""

    resource = RESOURCE

    def template(self, facts: PoolFacts) -> Template:
        try:
            found = marketplace.default_image(facts)
        except InvalidSpec as error:
            raise InvalidSpec(f"failed to apply Azure image defaults: {error}") from error
        wanted = facts.given.spec.platform.azure or read(AzureNodePool, {})
        defaults: Manifest = {}
        if found:
            image = {"type": "AzureMarketplace", "azureMarketplace": found}
            defaults = {"platform": {"azure": {"image": image}}}
            chosen = read(AzureMarketplaceImage, found)
            completed = replace(wanted.image, type="AzureMarketplace", azure_marketplace=chosen)
            wanted = replace(wanted, image=completed)
        try:
            spec = machine_spec(wanted, _registry_identity(facts))
        except InvalidSpec as error:
            raise InvalidSpec(f"failed to generate AzureMachineTemplateSpec: {error}") from error
        return named_by({"template": {"metadata": {}, "spec": spec}}, defaults=defaults)


def _registry_identity(facts: PoolFacts) -> str:
    """The identity that may pull from the cluster's own registry; empty without one."""
    section = facts.cluster.spec.platform.azure
    registry = section.container_registry if section else None
    identity = registry.credentials.managed_identity if registry else None
    return identity.resource_id if identity else ""


def machine_spec(wanted: AzureNodePool, identity: str) -> Manifest:
    """The spec of each machine, fields in Go's order."""
    try:
        subnet_name = subnet.name(wanted.subnet_id)
    except InvalidSpec as error:
        raise InvalidSpec(f"failed to determine subnet name for Azure machine: {error}") from error
    spec = {
        "vmSize": wanted.vm_size,
        "failureDomain": wanted.availability_zone,
        "image": _image(wanted.image),
        "identity": "UserAssigned" if identity else None,
        "userAssignedIdentities": [{"providerID": _PROVIDER + identity}] if identity else None,
        "osDisk": _disk(wanted.os_disk),
        "sshPublicKey": SSH_KEY,
        "diagnostics": _diagnostics(wanted.diagnostics),
        "securityProfile": (
            {"encryptionAtHost": True} if wanted.encryption_at_host == "Enabled" else None
        ),
        "networkInterfaces": [{"subnetName": subnet_name}],
    }
    return filled(spec)


def _image(wanted: AzureImage) -> Manifest | None:
    market = wanted.azure_marketplace
    if wanted.image_id is None and market is None:
        raise InvalidSpec(
            "no Azure VM image configured: either provide marketplace flags "
            "(--marketplace-publisher, etc.) or ensure the release image contains marketplace "
            "metadata (available in OCP 4.20+)"
        )
    match wanted.type:
        case "ImageID":
            return filled({"id": wanted.image_id})
        case "AzureMarketplace":
            named = {key: getattr(market, key, None) or "" for key in marketplace.FIELDS}
            return {"marketplace": named | {"thirdPartyImage": False}}
        case _:
            return None


def _disk(wanted: AzureOSDisk) -> Manifest:
    managed = {
        "storageAccountType": wanted.disk_storage_account_type,
        "diskEncryptionSet": filled({"id": wanted.encryption_set_id}),
    }
    disk = {
        "osType": "",
        "diskSizeGB": wanted.size_gib or 0,
        "managedDisk": filled(managed),
    }
    if wanted.persistence == "Ephemeral":
        disk |= {"diffDiskSettings": {"option": "Local"}, "cachingType": "ReadOnly"}
    return disk


def _diagnostics(wanted: AzureDiagnostics | None) -> Manifest | None:
    if wanted is None:
        return None
    kind = wanted.storage_account_type
    boot: Manifest = {"storageAccountType": kind}
    if kind == "UserManaged":
        account = wanted.user_managed.storage_account_uri if wanted.user_managed else ""
        boot["userManaged"] = {"storageAccountURI": account}
    return {"boot": boot}


MACHINES = AzureMachines()
