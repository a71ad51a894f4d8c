"""Etcd clusters that keep certain resources apart from the rest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from hypershift.api.meta import Toleration
from hypershift.api.shape import Field, Int32, Rule, Shape, constrained, immutable, members
from hypershift.api.values import EtcdStorageType


@constrained(
    min_properties=1,
)
class EtcdScheduling(Shape):
    """Where etcd pods run on the management cluster."""

    node_selector: Annotated[
        Mapping[str, str] | None,
        Field("Labels that a node must have.", min_properties=1, max_properties=16),
    ] = None
    tolerations: Annotated[
        tuple[Toleration, ...],
        Field(
            "Taints that the pods tolerate, at most 16.",
            min_items=1,
            max_items=16,
            list_type="atomic",
        ),
    ] = ()


@constrained(
    Rule(
        "has(oldSelf.storage) == has(self.storage)",
        "storage cannot be added or removed after creation",
    ),
)
class ManagedEtcdShard(Shape):
    """An etcd cluster of its own for some resources."""

    name: Annotated[
        str,
        Field(
            "Name of the shard, a DNS label, unique in the list. Immutable.",
            min_length=1,
            max_length=48,
            rules=(
                Rule(
                    "self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')",
                    (
                        "name must be a valid DNS1123 label: lowercase alphanumeric with"
                        " hyphens, starting and ending with an alphanumeric character"
                    ),
                ),
                immutable("name is immutable"),
            ),
        ),
    ]
    replicas: Annotated[
        Int32,
        Field(
            "Number of members, 1 or 3. Immutable.",
            enum=(1, 3),
            minimum=1,
            rules=(immutable("replicas is immutable"),),
        ),
    ]
    resources: Annotated[
        tuple[ShardResource, ...],
        Field(
            "Kinds of objects that are kept here and nowhere else, at most 20. Immutable.",
            min_items=1,
            max_items=20,
            list_type="map",
            list_keys=("apiGroup", "resource"),
            rules=(immutable("resources are immutable"),),
        ),
    ]
    scheduling: Annotated[
        EtcdScheduling | None, Field("Where this shard's pods run on the management cluster.")
    ] = None
    storage: Annotated[
        ShardStorage | None,
        Field("Where this shard keeps its data. Default: as the default shard. Immutable."),
    ] = None


class ShardResource(Shape):
    """A kind of object that a shard keeps."""

    api_group: Annotated[
        str,
        Field(
            "API group of the kind; empty for the core group.",
            min_length=0,
            max_length=253,
            rules=(
                Rule(
                    (
                        "self == '' || self.matches('^[a-z0-9]([a-z0-9-]*[a-z0-9])?([."
                        "][a-z0-9]([a-z0-9-]*[a-z0-9])?)*$')"
                    ),
                    (
                        "apiGroup must be a valid DNS subdomain (lowercase alphanumeric,"
                        " hyphens, dots)"
                    ),
                ),
            ),
        ),
    ]
    resource: Annotated[
        str,
        Field(
            "Plural name of the kind, for example `events`.",
            min_length=1,
            max_length=63,
            rules=(
                Rule(
                    "self.matches('^[a-z0-9]([a-z0-9-]*[a-z0-9])?$')",
                    "resource must be a valid DNS label (lowercase alphanumeric, hyphens)",
                ),
            ),
        ),
    ]


@constrained(
    immutable("storage is immutable"),
    Rule(
        "self.type == 'PersistentVolume' ? true : !has(self.persistentVolume)",
        "persistentVolume is forbidden when type is not PersistentVolume",
    ),
)
class ShardStorage(Shape):
    """Where a shard keeps its data."""

    type: Annotated[
        str,
        Field(
            (
                "`PersistentVolume` survives the pod, `EmptyDir` does not and suits data that may"
                " be lost."
            ),
            enum=members(EtcdStorageType),
        ),
    ]
    persistent_volume: Annotated[
        ShardPersistentVolume | None,
        Field("Settings of the volume; only with `type: PersistentVolume`."),
    ] = None


@constrained(
    min_properties=1,
)
class ShardPersistentVolume(Shape):
    """The volume of a shard's member."""

    storage_class_name: Annotated[
        str | None,
        Field(
            "StorageClass on the management cluster. Default: the cluster's default class.",
            min_length=1,
            max_length=253,
            rules=(
                Rule(
                    "self.matches('^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$')",
                    "storageClassName must be a valid DNS1123 subdomain",
                ),
            ),
        ),
    ] = None


class UnmanagedEtcdShard(Shape):
    """An etcd cluster of yours for some resources."""

    endpoint: Annotated[
        str,
        Field(
            "Address of this etcd cluster, https. Immutable.",
            min_length=1,
            max_length=267,
            rules=(
                Rule(
                    "isURL(self) && url(self).getScheme() == 'https'",
                    "endpoint must be a valid HTTPS URL",
                ),
                immutable("endpoint is immutable"),
            ),
        ),
    ]
    name: Annotated[
        str,
        Field(
            "Name of the shard, a DNS label, unique in the list. Immutable.",
            min_length=1,
            max_length=48,
            rules=(
                Rule(
                    "self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')",
                    (
                        "name must be a valid DNS1123 label: lowercase alphanumeric with"
                        " hyphens, starting and ending with an alphanumeric character"
                    ),
                ),
                immutable("name is immutable"),
            ),
        ),
    ]
    resources: Annotated[
        tuple[ShardResource, ...],
        Field(
            "Kinds of objects that are kept here and nowhere else, at most 20. Immutable.",
            min_items=1,
            max_items=20,
            list_type="map",
            list_keys=("apiGroup", "resource"),
            rules=(immutable("resources are immutable"),),
        ),
    ]
