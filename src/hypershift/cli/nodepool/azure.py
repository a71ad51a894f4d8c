"""NodePools on Azure: virtual machines, their image, disk, zone and diagnostics."""

from dataclasses import dataclass

from hypershift.cli.flags import BOOL, INT32, Flag, choice
from hypershift.cli.nodepool.platform import PoolOptions, PoolPlatform, present
from hypershift.kit import Manifest, UsageError

VM_SIZES = {"amd64": "Standard_D4s_v5", "arm64": "Standard_D4ps_v5"}
ZONES = ("1", "2", "3")
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


@dataclass(frozen=True, slots=True, kw_only=True)
class AzureMachine:
    """Size, image, disk, zone and diagnostics of each virtual machine."""

    availability_zone: str
    diagnostics_storage_account_type: str
    diagnostics_storage_account_uri: str
    disk_encryption_set_id: str
    disk_storage_account_type: str
    enable_ephemeral_disk: bool
    encryption_at_host: str
    image_generation: str
    instance_type: str
    marketplace_offer: str
    marketplace_publisher: str
    marketplace_sku: str
    marketplace_version: str
    nodepool_subnet_id: str
    root_disk_size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AzurePool(PoolOptions):
    """What `create nodepool azure` is given."""

    machine: AzureMachine


def check(machine: AzureMachine) -> None:
    """Refuse what no virtual machine can be made of."""
    _check_marketplace(machine)
    kind = machine.diagnostics_storage_account_type
    if machine.diagnostics_storage_account_uri and kind != "UserManaged":
        raise UsageError(
            "--diagnostics-storage-account-uri is applicable only if "
            "--diagnostics-storage-account-type is set to UserManaged"
        )
    if machine.encryption_at_host not in ("", "Enabled", "Disabled"):
        raise UsageError(
            "flag --encryption-at-host has an invalid value; "
            "accepted values are 'Enabled' and 'Disabled'"
        )
    check_zone(machine.availability_zone)
    generation = machine.image_generation
    if generation not in ("", "Gen1", "Gen2"):
        raise UsageError(
            f"invalid value for --image-generation: {generation}. Supported values: Gen1, Gen2"
        )


def _check_marketplace(machine: AzureMachine) -> None:
    given = {f"marketplace-{name}": value for name, value in _marketplace(machine).items()}
    empty = [name for name, value in given.items() if not value]
    if empty and len(empty) < len(given):
        names = ", ".join(given)
        raise UsageError(
            f"all marketplace flags (i.e. {names}) are required when using a marketplace image; "
            f"the following flag was empty: {empty[0]}"
        )


def check_zone(zone: str) -> None:
    """Refuse a zone that no Azure region has."""
    if zone and zone not in ZONES:
        raise UsageError(f"invalid value for --availability-zone: {zone}")


def _marketplace(machine: AzureMachine) -> dict[str, str]:
    """What identifies an image of the marketplace."""
    return {
        "publisher": machine.marketplace_publisher,
        "offer": machine.marketplace_offer,
        "sku": machine.marketplace_sku,
        "version": machine.marketplace_version,
    }


def image(machine: AzureMachine) -> Manifest:
    """A marketplace image; what is not given comes from the release."""
    named = {**_marketplace(machine), "imageGeneration": machine.image_generation}
    return {"type": "AzureMarketplace", "azureMarketplace": present(named)}


def section(
    machine: AzureMachine, arch: str, picture: Manifest, subnet: str, zone: str
) -> Manifest:
    """The section of a pool with this image in this subnet and zone."""
    disk = {
        "sizeGiB": machine.root_disk_size,
        "diskStorageAccountType": machine.disk_storage_account_type,
        "persistence": "Ephemeral" if machine.enable_ephemeral_disk else "",
        "encryptionSetID": machine.disk_encryption_set_id,
    }
    default = VM_SIZES.get(arch, "")
    found = {
        "availabilityZone": zone,
        "diagnostics": _diagnostics(machine),
        "encryptionAtHost": machine.encryption_at_host,
    }
    return {
        "vmSize": machine.instance_type.strip() or default,
        "image": picture,
        "osDisk": present(disk),
        "subnetID": subnet,
        **present(found),
    }


def _diagnostics(machine: AzureMachine) -> Manifest:
    kind = machine.diagnostics_storage_account_type
    uri = machine.diagnostics_storage_account_uri
    found: Manifest = present({"storageAccountType": kind})
    if kind == "UserManaged" and uri:
        found["userManaged"] = {"storageAccountURI": uri}
    return found


def _section(options: AzurePool) -> Manifest:
    machine = options.machine
    subnet, zone = machine.nodepool_subnet_id, machine.availability_zone
    return section(machine, options.arch, image(machine), subnet, zone)


PLATFORM = PoolPlatform(
    name="azure",
    type="Azure",
    key="azure",
    upgrade_type="Replace",
    flags=FLAGS,
    options=AzurePool,
    check=lambda options: check(options.machine),
    section=lambda options, _completed, _cluster: _section(options),
)
