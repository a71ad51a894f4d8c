"""Disks and instance metadata of machines that Karpenter makes."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.shape import Field, Int64, Rule, Shape, constrained


@constrained(
    min_properties=1,
)
class BlockDeviceMapping(Shape):
    """A disk of a machine."""

    device_name: Annotated[
        str | None,
        Field("Name of the device, for example /dev/xvda.", min_length=1, max_length=256),
    ] = None
    ebs: Annotated[BlockDevice | None, Field("The EBS volume.")] = None
    root_volume: Annotated[
        str | None,
        Field(
            "`RootVolume` marks the one that the system is on, `NotRootVolume` others.",
            enum=("RootVolume", "NotRootVolume"),
        ),
    ] = None


@constrained(
    Rule(
        "has(self.snapshotID) || has(self.volumeSizeGiB)",
        "snapshotID or volumeSizeGiB must be defined",
    ),
    min_properties=1,
)
class BlockDevice(Shape):
    """An EBS volume."""

    delete_on_termination: Annotated[
        str | None,
        Field(
            "What happens to it with the machine: `Delete` or `Retain`. Default Delete.",
            enum=("Delete", "Retain"),
        ),
    ] = None
    encrypted: Annotated[
        str | None,
        Field(
            "`Encrypted` or `Unencrypted`. Default: the account's setting.",
            enum=("Encrypted", "Unencrypted"),
        ),
    ] = None
    iops: Annotated[Int64 | None, Field("Operations per second, for the types that take it.")] = (
        None
    )
    kms_key_id: Annotated[
        str | None,
        Field("KMS key to encrypt with. Default: the account's.", min_length=1, max_length=2048),
    ] = None
    snapshot_id: Annotated[
        str | None, Field("Snapshot to begin with.", min_length=1, max_length=256)
    ] = None
    throughput: Annotated[Int64 | None, Field("Throughput in MiB/s, for gp3.")] = None
    volume_size_gib: Annotated[
        Int64 | None, Field("Size in GiB, 1 to 65536.", minimum=1, maximum=65536)
    ] = None
    volume_type: Annotated[
        str | None,
        Field("Type of the volume.", enum=("Standard", "IO1", "IO2", "GP2", "SC1", "ST1", "GP3")),
    ] = None


@constrained(
    min_properties=1,
)
class MetadataOptions(Shape):
    """Access to the instance metadata service."""

    access: Annotated[
        str | None,
        Field(
            "`HTTPEndpoint` allows it, `None` does not. Default HTTPEndpoint.",
            enum=("HTTPEndpoint", "None"),
        ),
    ] = None
    http_ip_protocol: Annotated[
        str | None, Field("`IPv4` or `IPv6`. Default IPv4.", enum=("IPv4", "IPv6"))
    ] = None
    http_put_response_hop_limit: Annotated[
        Int64 | None,
        Field(
            "How many hops a token may travel, 1 to 64; 1 keeps pods out. Default 1.",
            minimum=1,
            maximum=64,
        ),
    ] = None
    http_tokens: Annotated[
        str | None,
        Field(
            "Whether requests need a session token: `Required` or `Optional`. Default Required.",
            enum=("Required", "Optional"),
        ),
    ] = None
