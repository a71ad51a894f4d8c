"""Clusters of virtual machines in a Kubernetes cluster."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.shape import Field, Rule, Shape, constrained, immutable


@constrained(
    Rule(
        "!has(oldSelf.generateID) || has(self.generateID)",
        "Kubevirt GenerateID is required once set",
    ),
)
class KubevirtPlatform(Shape):
    """A cluster of virtual machines in a Kubernetes cluster."""

    base_domain_passthrough: Annotated[
        bool | None,
        Field(
            (
                "Whether the cluster's ingress lives below the wildcard domain of the cluster"
                " that hosts the machines, so that no DNS of its own is needed. Then"
                " `dns.baseDomain` stays empty. Immutable."
            ),
            rules=(immutable("baseDomainPassthrough is immutable"),),
        ),
    ] = None
    credentials: Annotated[
        KubevirtCredentials | None,
        Field("Cluster that hosts the machines, when it is not the management cluster."),
    ] = None
    generate_id: Annotated[
        str | None,
        Field(
            (
                "Part of the names of what is made in the hosting cluster. Generated when unset;"
                " immutable."
            ),
            max_length=11,
            rules=(immutable("Kubevirt GenerateID is immutable once set"),),
        ),
    ] = None
    storage_driver: Annotated[
        KubevirtStorageDriver | None,
        Field("How storage classes of the hosting cluster are offered in this one. Immutable."),
    ] = None


class KubevirtCredentials(Shape):
    """Another cluster that hosts the machines."""

    infra_namespace: Annotated[
        str,
        Field(
            "Namespace of that cluster in which machines are made. Immutable.",
            max_length=255,
            rules=(immutable("infraNamespace is immutable"),),
        ),
    ]
    infra_kube_config_secret: Annotated[
        InfraKubeconfigSecret | None, Field("Secret with a kubeconfig of that cluster. Immutable.")
    ] = None


@constrained(
    immutable("infraKubeConfigSecret is immutable"),
)
class InfraKubeconfigSecret(Shape):
    """A Secret with a kubeconfig."""

    key: Annotated[str, Field("Key in the Secret's data.", max_length=255)]
    name: Annotated[str, Field("Name of the Secret.", max_length=255)]


@constrained(
    immutable("storageDriver is immutable"),
)
class KubevirtStorageDriver(Shape):
    """How storage of the hosting cluster is offered."""

    manual: Annotated[
        KubevirtManualStorage | None,
        Field("Which classes are offered under which names; only with `type: Manual`. Immutable."),
    ] = None
    type: Annotated[
        str,
        Field(
            (
                "`Default` offers the hosting cluster's default class, `Manual` those you list,"
                " `None` nothing. Default: Default; immutable."
            ),
            enum=("None", "Default", "Manual"),
            rules=(immutable("storageDriver.Type is immutable"),),
        ),
    ] = "Default"


@constrained(
    immutable("storageDriver.Manual is immutable"),
)
class KubevirtManualStorage(Shape):
    """Classes to offer."""

    storage_class_mapping: Annotated[
        tuple[StorageClassMapping, ...],
        Field(
            "Storage classes, at most 50. Immutable.",
            max_items=50,
            rules=(immutable("storageClassMapping is immutable"),),
        ),
    ] = ()
    volume_snapshot_class_mapping: Annotated[
        tuple[VolumeSnapshotClassMapping, ...],
        Field(
            "Volume snapshot classes, at most 50. Immutable.",
            max_items=50,
            rules=(immutable("volumeSnapshotClassMapping is immutable"),),
        ),
    ] = ()


class StorageClassMapping(Shape):
    """One storage class to offer."""

    guest_storage_class_name: Annotated[str, Field("Name in this cluster.", max_length=255)]
    infra_storage_class_name: Annotated[str, Field("Name in the hosting cluster.", max_length=255)]
    group: Annotated[
        str | None,
        Field(
            "Group; volumes and snapshots of classes in one group work together.", max_length=255
        ),
    ] = None


class VolumeSnapshotClassMapping(Shape):
    """One volume snapshot class to offer."""

    guest_volume_snapshot_class_name: Annotated[str, Field("Name in this cluster.", max_length=255)]
    infra_volume_snapshot_class_name: Annotated[
        str, Field("Name in the hosting cluster.", max_length=255)
    ]
    group: Annotated[
        str | None,
        Field(
            "Group; volumes and snapshots of classes in one group work together.", max_length=255
        ),
    ] = None
