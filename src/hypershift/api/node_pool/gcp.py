"""Pools of instances on Google Cloud."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.platforms.gcp import GCPResourceLabel
from hypershift.api.rules import GCP_SERVICE_ACCOUNT_EMAIL
from hypershift.api.shape import Field, Int64, Rule, Shape, Value, constrained


@constrained(
    Rule(
        (
            "!has(self.onHostMaintenance) || !has(self.provisioningModel) ||"
            " self.provisioningModel == 'Standard' || self.onHostMaintenance =="
            " 'TERMINATE'"
        ),
        "onHostMaintenance must be TERMINATE when provisioningModel is Spot or Preemptible",
    ),
)
class GCPNodePool(Shape):
    """Instances on Google Cloud. A change rolls the nodes."""

    machine_type: Annotated[
        str,
        Field(
            "Machine type, for example n2-standard-4.",
            min_length=1,
            max_length=255,
            rules=(
                Rule(
                    "self.matches('^[a-z0-9]+(-[a-z0-9]+)*$')",
                    (
                        "machineType must start and end with a lowercase letter or digit, and"
                        " contain only lowercase letters, digits, and hyphens"
                    ),
                ),
            ),
        ),
    ]
    subnet: Annotated[
        str,
        Field(
            "Subnet of the nodes, by name.",
            min_length=1,
            max_length=63,
            rules=(
                Rule(
                    "self.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')",
                    (
                        "must start with a lowercase letter, contain only lowercase letters,"
                        " digits, or hyphens, and not end with a hyphen"
                    ),
                ),
            ),
        ),
    ]
    zone: Annotated[
        str,
        Field(
            "Zone of the nodes, for example us-central1-a.",
            min_length=1,
            max_length=63,
            rules=(
                Rule(
                    "self.matches('^[a-z]+(?:-[a-z0-9]+)*-[a-z]$')",
                    "zone must be in the form of region-zone (e.g., us-central1-a)",
                ),
            ),
        ),
    ]
    boot_disk: Annotated[GCPBootDisk | None, Field("Boot disk.")] = None
    image: Annotated[
        str | None, Field("Image to boot. Default: the release's.", min_length=1, max_length=2048)
    ] = None
    network_tags: Annotated[
        tuple[str, ...],
        Field(
            "Network tags that firewall rules refer to, at most 64.",
            items=Value(
                min_length=1,
                max_length=63,
                rules=(
                    Rule(
                        "self.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')",
                        (
                            "must start with a lowercase letter, contain only lowercase letters,"
                            " digits, or hyphens, and not end with a hyphen"
                        ),
                    ),
                ),
            ),
            min_items=1,
            max_items=64,
            list_type="set",
        ),
    ] = ()
    on_host_maintenance: Annotated[
        str | None,
        Field(
            (
                "What happens when the host is serviced: `MIGRATE` moves the instance,"
                " `TERMINATE` stops it. Spot and Preemptible need TERMINATE. Default: Google's."
            ),
            enum=("MIGRATE", "TERMINATE"),
        ),
    ] = None
    provisioning_model: Annotated[
        str,
        Field(
            (
                "`Standard`, or the cheaper `Spot` and `Preemptible`, which may be taken away."
                " Default Standard."
            ),
            enum=("Standard", "Spot", "Preemptible"),
        ),
    ] = "Standard"
    resource_labels: Annotated[
        tuple[GCPResourceLabel, ...],
        Field(
            "Labels on instances and disks, at most 60, besides the cluster's.",
            min_items=1,
            max_items=60,
            list_type="map",
            list_keys=("key",),
        ),
    ] = ()
    service_account: Annotated[
        GCPNodeServiceAccount | None, Field("Google service account of the nodes.")
    ] = None


class GCPBootDisk(Shape):
    """The boot disk of instances on Google Cloud."""

    disk_size_gb: Annotated[
        Int64, Field("Size in GB, 20 to 65536. Default 64.", minimum=20, maximum=65536)
    ] = 64
    disk_type: Annotated[
        str,
        Field(
            "Type of the disk. Default pd-balanced.", enum=("pd-standard", "pd-ssd", "pd-balanced")
        ),
    ] = "pd-balanced"
    encryption_key: Annotated[
        GCPEncryptionKey | None,
        Field("Key of yours to encrypt with. Default: a key that Google manages."),
    ] = None


class GCPEncryptionKey(Shape):
    """A key in Google Cloud KMS."""

    kms_key_name: Annotated[
        str,
        Field(
            "Name of the key, `projects/.../cryptoKeys/<key>`.",
            min_length=1,
            max_length=2048,
            rules=(
                Rule(
                    (
                        "self.matches('^projects/[a-z][a-z0-9-]{4,28}[a-z0-9]/locations/"
                        "[a-z0-9-]+/keyRings/[a-zA-Z0-9_-]+/cryptoKeys/[a-zA-Z0-9_-]+$')"
                    ),
                    (
                        "kmsKeyName must be in the format projects/{project}/locations/"
                        "{location}/keyRings/{keyRing}/cryptoKeys/{key}"
                    ),
                ),
            ),
        ),
    ]


class GCPNodeServiceAccount(Shape):
    """The Google service account of nodes."""

    email: Annotated[
        str | None,
        Field(
            "Email of the account. Default: the project's default account.",
            min_length=37,
            max_length=85,
            rules=(GCP_SERVICE_ACCOUNT_EMAIL,),
        ),
    ] = None
    scopes: Annotated[
        tuple[str, ...],
        Field(
            "OAuth scopes of the nodes' tokens, at most 50.",
            items=Value(max_length=512),
            min_items=1,
            max_items=50,
            list_type="set",
        ),
    ] = ()
