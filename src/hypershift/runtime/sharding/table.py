"""The table of owners, kept in an annotation of one Lease that replicas replace by version."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from hypershift.kit import Manifest, TransientError, annotations_of
from hypershift.kube import kinds
from hypershift.runtime.sharding.assignment import BUCKETS

LABEL = "hypershift.openshift.io/shards"
OWNERS = "hypershift.openshift.io/shard-owners"


@dataclass(frozen=True, slots=True)
class Table:
    """The owner of each bucket in one version of the Lease; free buckets are absent."""

    owners: Mapping[int, str] = field(default_factory=dict)
    version: str = ""

    def of(self, replica: str) -> frozenset[int]:
        """The buckets of a replica."""
        return frozenset(bucket for bucket, owner in self.owners.items() if owner == replica)

    def moved(self, moves: Mapping[int, str]) -> "Table":
        """The table after some moves; a move without a target frees the bucket."""
        owners = {**self.owners, **moves}
        return Table({bucket: name for bucket, name in owners.items() if name}, self.version)


class UnreadableTable(TransientError):
    """Another program wrote the table in a form that cannot be read, so owners are unknown."""


def table_of(lease: Manifest) -> Table:
    """Read a table."""
    version = lease["metadata"].get("resourceVersion", "")
    try:
        owners = json.loads(annotations_of(lease).get(OWNERS, "{}"))
        return Table(
            {
                int(bucket): str(name)
                for name, buckets in owners.items()
                for bucket in buckets
                if 0 <= int(bucket) < BUCKETS
            },
            version,
        )
    except (AttributeError, TypeError, ValueError) as error:
        name = lease["metadata"].get("name")
        raise UnreadableTable(f"Lease {name}: {OWNERS} cannot be read ({error})") from error


def lease_of(table: Table, name: str, namespace: str) -> Manifest:
    """The Lease that holds a table."""
    replicas = sorted(set(table.owners.values()))
    owners = {replica: sorted(table.of(replica)) for replica in replicas}
    metadata = {
        "name": name,
        "namespace": namespace,
        "labels": {LABEL: name},
        "annotations": {OWNERS: json.dumps(owners)},
    }
    if table.version:
        metadata["resourceVersion"] = table.version
    return {
        "apiVersion": kinds.LEASE.api_version,
        "kind": kinds.LEASE.kind,
        "metadata": metadata,
        "spec": {},
    }
