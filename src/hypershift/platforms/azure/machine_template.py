"""Machines of platform Azure: the AzureMachineTemplate of a pool."""

from typing import Any

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
        wanted = facts.of_pool("azure")
        defaults: Manifest = {}
        if found:
            image = {"type": "AzureMarketplace", "azureMarketplace": found}
            defaults = {"platform": {"azure": {"image": image}}}
            wanted = wanted | {"image": (wanted.get("image") or {}) | image}
        try:
            spec = machine_spec(wanted, _registry_identity(facts))
        except InvalidSpec as error:
            raise InvalidSpec(f"failed to generate AzureMachineTemplateSpec: {error}") from error
        return named_by({"template": {"metadata": {}, "spec": spec}}, defaults=defaults)


def _registry_identity(facts: PoolFacts) -> str:
    """The identity that may pull from the cluster's own registry; empty without one."""
    registry = facts.of_cluster("azure").get("containerRegistry") or {}
    identity = (registry.get("credentials") or {}).get("managedIdentity") or {}
    return str(identity.get("resourceID") or "")


def machine_spec(wanted: dict[str, Any], identity: str) -> Manifest:
    """The spec of each machine, fields in Go's order."""
    try:
        subnet_name = subnet.name(wanted.get("subnetID", ""))
    except InvalidSpec as error:
        raise InvalidSpec(f"failed to determine subnet name for Azure machine: {error}") from error
    spec = {
        "vmSize": wanted.get("vmSize", ""),
        "failureDomain": wanted.get("availabilityZone"),
        "image": _image(wanted.get("image") or {}),
        "identity": "UserAssigned" if identity else None,
        "userAssignedIdentities": [{"providerID": _PROVIDER + identity}] if identity else None,
        "osDisk": _disk(wanted.get("osDisk") or {}),
        "sshPublicKey": SSH_KEY,
        "diagnostics": _diagnostics(wanted.get("diagnostics") or {}),
        "securityProfile": (
            {"encryptionAtHost": True} if wanted.get("encryptionAtHost") == "Enabled" else None
        ),
        "networkInterfaces": [{"subnetName": subnet_name}],
    }
    return filled(spec)


def _image(wanted: dict[str, Any]) -> Manifest | None:
    market = wanted.get("azureMarketplace")
    if wanted.get("imageID") is None and market is None:
        raise InvalidSpec(
            "no Azure VM image configured: either provide marketplace flags "
            "(--marketplace-publisher, etc.) or ensure the release image contains marketplace "
            "metadata (available in OCP 4.20+)"
        )
    match wanted.get("type"):
        case "ImageID":
            return filled({"id": wanted.get("imageID")})
        case "AzureMarketplace":
            named = {key: (market or {}).get(key, "") for key in marketplace.FIELDS}
            return {"marketplace": named | {"thirdPartyImage": False}}
        case _:
            return None


def _disk(wanted: dict[str, Any]) -> Manifest:
    managed = {
        "storageAccountType": wanted.get("diskStorageAccountType"),
        "diskEncryptionSet": filled({"id": wanted.get("encryptionSetID")}),
    }
    disk = {
        "osType": "",
        "diskSizeGB": wanted.get("sizeGiB") or 0,
        "managedDisk": filled(managed),
    }
    if wanted.get("persistence") == "Ephemeral":
        disk |= {"diffDiskSettings": {"option": "Local"}, "cachingType": "ReadOnly"}
    return disk


def _diagnostics(wanted: dict[str, Any]) -> Manifest | None:
    if not (kind := wanted.get("storageAccountType")):
        return None
    boot: Manifest = {"storageAccountType": kind}
    if kind == "UserManaged":
        account = (wanted.get("userManaged") or {}).get("storageAccountURI", "")
        boot["userManaged"] = {"storageAccountURI": account}
    return {"boot": boot}


MACHINES = AzureMachines()
