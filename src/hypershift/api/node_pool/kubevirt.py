"""Pools of virtual machines in a Kubernetes cluster."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from hypershift.api.shape import Field, Int32, Quantity, Shape, Value


class KubevirtNodePool(Shape):
    """Virtual machines in a Kubernetes cluster. A change rolls the nodes."""

    root_volume: Annotated[
        KubevirtRootVolume,
        Field(
            "Root disk. Default: a persistent volume of 32Gi.",
            default={"persistent": {"size": "32Gi"}, "type": "Persistent"},
        ),
    ]
    additional_networks: Annotated[
        tuple[KubevirtNetwork, ...],
        Field("Further networks of the machines, at most 20.", max_items=20),
    ] = ()
    attach_default_network: Annotated[
        bool,
        Field(
            "Whether machines are on the pod network. May be false only with further"
            " networks. Default true."
        ),
    ] = True
    compute: Annotated[
        KubevirtCompute | None,
        Field("CPU and memory. Default: 2 cores, 8Gi.", default={"cores": 2, "memory": "8Gi"}),
    ] = None
    host_devices: Annotated[
        tuple[KubevirtHostDevice, ...],
        Field("Devices of the hosts, such as GPUs, to pass through; at most 10.", max_items=10),
    ] = ()
    network_interface_multiqueue: Annotated[
        str,
        Field(
            (
                "Whether network interfaces have one queue per core: `Enable` or `Disable`."
                " Default Enable."
            ),
            enum=("Enable", "Disable"),
        ),
    ] = "Enable"
    node_selector: Annotated[Mapping[str, str] | None, Field("Labels that hosts must have.")] = None


class KubevirtNetwork(Shape):
    """A further network of a virtual machine."""

    name: Annotated[str, Field("Network attachment definition, `namespace/name`.", max_length=255)]


class KubevirtCompute(Shape):
    """CPU and memory of a virtual machine."""

    cores: Annotated[Int32 | None, Field("Number of cores. Default 2.", minimum=1)] = None
    memory: Annotated[Quantity, Field("Amount of memory. Default 8Gi.")] = "8Gi"
    qos_class: Annotated[
        str,
        Field(
            (
                "`Burstable` may use more than it is promised, `Guaranteed` has its resources to"
                " itself. Default Burstable."
            ),
            enum=("Burstable", "Guaranteed"),
        ),
    ] = "Burstable"


class KubevirtHostDevice(Shape):
    """A device of the host to pass through."""

    device_name: Annotated[
        str, Field("Resource name of the device in the hosting cluster.", max_length=255)
    ]
    count: Annotated[int, Field("How many of them. Default 1.", minimum=1, maximum=2147483647)] = 1


class KubevirtRootVolume(Shape):
    """The root disk of a virtual machine."""

    cache_strategy: Annotated[
        KubevirtCachingStrategy | None,
        Field("Whether the operating system image is kept for all machines."),
    ] = None
    disk_image: Annotated[
        KubevirtDiskImage | None, Field("Operating system image. Default: the release's.")
    ] = None
    persistent: Annotated[
        KubevirtPersistentVolume | None,
        Field("Settings of the volume; only with `type: Persistent`."),
    ] = None
    type: Annotated[str, Field("Kind of disk. Only Persistent.", enum=("Persistent",))] = (
        "Persistent"
    )


class KubevirtCachingStrategy(Shape):
    """Whether the operating system image is kept."""

    type: Annotated[
        str,
        Field(
            (
                "`PVC` keeps it in a volume that machines are cloned from, `None` fetches it for"
                " each. Default None."
            ),
            enum=("None", "PVC"),
            required=True,
        ),
    ] = "None"


class KubevirtDiskImage(Shape):
    """The operating system image of a virtual machine."""

    container_disk_image: Annotated[
        str | None, Field("Container image that holds the disk.", max_length=2048)
    ] = None


class KubevirtPersistentVolume(Shape):
    """The volume of a virtual machine."""

    access_modes: Annotated[
        tuple[str, ...],
        Field(
            (
                "Access modes, at most 10; ReadWriteMany allows live migration. Default: the"
                " storage class's."
            ),
            items=Value(enum=("ReadWriteOnce", "ReadWriteMany", "ReadOnly", "ReadWriteOncePod")),
            max_items=10,
        ),
    ] = ()
    size: Annotated[Quantity, Field("Size of the volume. Default 32Gi.")] = "32Gi"
    storage_class: Annotated[
        str | None,
        Field("Storage class in the hosting cluster. Default: its default class.", max_length=255),
    ] = None
    volume_mode: Annotated[
        str | None,
        Field(
            "`Filesystem` or `Block`. Default: the storage class's.", enum=("Filesystem", "Block")
        ),
    ] = None
