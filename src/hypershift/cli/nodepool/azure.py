"""NodePools on Azure: virtual machines, their image, disk, zone and diagnostics."""

from typing import Any

from hypershift.cli.flags import BOOL, INT32, Flag, Values, choice
from hypershift.cli.nodepool.platform import PoolPlatform, present
from hypershift.kit import Manifest, UsageError

VM_SIZES = {"amd64": "Standard_D4s_v5", "arm64": "Standard_D4ps_v5"}
ZONES = ("1", "2", "3")
MARKETPLACE = (
    "marketplace-publisher",
    "marketplace-offer",
    "marketplace-sku",
    "marketplace-version",
)
DIAGNOSTICS = choice(
    "AzureDiagnosticsStorageAccountType",
    ("Disabled", "Managed", "UserManaged"),
    lambda word: f"unknown Azure diagnostics storage account type: {word}",
)

FLAGS = (
    Flag("availability-zone", "Zone of the nodes: 1, 2 or 3"),
    Flag("diagnostics-storage-account-type", "Disabled, Managed or UserManaged", DIAGNOSTICS),
    Flag("diagnostics-storage-account-uri", "Storage account of UserManaged diagnostics"),
    Flag("disk-encryption-set-id", "Disk encryption set of the nodes' disks"),
    Flag("disk-storage-account-type", "Storage of the nodes' disks", default="Premium_LRS"),
    Flag("enable-ephemeral-disk", "Keep the nodes' disks on the host alone", BOOL),
    Flag("encryption-at-host", "Enabled or Disabled"),
    Flag("image-generation", "Hyper-V generation of the image: Gen1 or Gen2"),
    Flag("instance-type", "Size of the virtual machines"),
    Flag("marketplace-offer", "Offer of a marketplace image"),
    Flag("marketplace-publisher", "Publisher of a marketplace image"),
    Flag("marketplace-sku", "SKU of a marketplace image"),
    Flag("marketplace-version", "Version of a marketplace image"),
    Flag("nodepool-subnet-id", "Subnet of the nodes"),
    Flag("root-disk-size", "Size of the nodes' disks in GiB", INT32, 120),
)


def check(values: Values) -> None:
    _check_marketplace(values)
    kind = values["diagnostics-storage-account-type"]
    if values["diagnostics-storage-account-uri"] and kind != "UserManaged":
        raise UsageError(
            "--diagnostics-storage-account-uri is applicable only if "
            "--diagnostics-storage-account-type is set to UserManaged"
        )
    if values["encryption-at-host"] not in ("", "Enabled", "Disabled"):
        raise UsageError(
            "flag --encryption-at-host has an invalid value; "
            "accepted values are 'Enabled' and 'Disabled'"
        )
    check_zone(values["availability-zone"])
    generation = values["image-generation"]
    if generation not in ("", "Gen1", "Gen2"):
        raise UsageError(
            f"invalid value for --image-generation: {generation}. Supported values: Gen1, Gen2"
        )


def _check_marketplace(values: Values) -> None:
    empty = [name for name in MARKETPLACE if not values[name]]
    if empty and len(empty) < len(MARKETPLACE):
        names = ", ".join(MARKETPLACE)
        raise UsageError(
            f"all marketplace flags (i.e. {names}) are required when using a marketplace image; "
            f"the following flag was empty: {empty[0]}"
        )


def check_zone(zone: str) -> None:
    """Refuse a zone that no Azure region has."""
    if zone and zone not in ZONES:
        raise UsageError(f"invalid value for --availability-zone: {zone}")


def image(values: Values) -> Manifest:
    """A marketplace image; what is not given comes from the release."""
    named = {name.removeprefix("marketplace-"): values[name] for name in MARKETPLACE}
    named["imageGeneration"] = values["image-generation"]
    return {"type": "AzureMarketplace", "azureMarketplace": present(named)}


def machine(values: Values, picture: Manifest, subnet: str, zone: str) -> Manifest:
    """The section of a pool with this image in this subnet and zone."""
    disk = {
        "sizeGiB": values["root-disk-size"],
        "diskStorageAccountType": values["disk-storage-account-type"],
        "persistence": "Ephemeral" if values["enable-ephemeral-disk"] else "",
        "encryptionSetID": values["disk-encryption-set-id"],
    }
    default = VM_SIZES.get(values["arch"], "")
    found = {
        "availabilityZone": zone,
        "diagnostics": _diagnostics(values),
        "encryptionAtHost": values["encryption-at-host"],
    }
    return {
        "vmSize": values["instance-type"].strip() or default,
        "image": picture,
        "osDisk": present(disk),
        "subnetID": subnet,
        **present(found),
    }


def _diagnostics(values: Values) -> Manifest:
    kind, uri = (values[f"diagnostics-storage-account-{each}"] for each in ("type", "uri"))
    found: Manifest = present({"storageAccountType": kind})
    if kind == "UserManaged" and uri:
        found["userManaged"] = {"storageAccountURI": uri}
    return found


def section(values: Values, _completed: Any, _cluster: Manifest) -> Manifest:
    subnet = values["nodepool-subnet-id"]
    return machine(values, image(values), subnet, values["availability-zone"])


PLATFORM = PoolPlatform(
    name="azure",
    type="Azure",
    key="azure",
    summary="A pool of Azure virtual machines",
    upgrade_type="Replace",
    flags=FLAGS,
    check=check,
    section=section,
)
