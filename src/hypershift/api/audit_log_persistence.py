"""AuditLogPersistenceConfig: audit logs kept on volumes."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.kind import Kind, Resource, served
from hypershift.api.meta import ConditionsStatus
from hypershift.api.shape import Field, Int32, Quantity, Rule, Shape, constrained


class AuditLogPersistenceConfigSpec(Shape):
    """How audit logs are kept."""

    audit_log: Annotated[AuditLog | None, Field("How the API server rotates its log.")] = None
    enabled: Annotated[bool | None, Field("Whether logs are kept. Default false.")] = None
    snapshots: Annotated[
        Snapshots | None, Field("Snapshots of the volumes when a pod crashed.")
    ] = None
    storage: Annotated[AuditLogStorage | None, Field("Volume of each API server pod.")] = None


class AuditLog(Shape):
    """How the API server rotates its log."""

    max_backup: Annotated[Int32 | None, Field("Number of old files to keep.", minimum=1)] = None
    max_size: Annotated[
        Int32 | None, Field("Size of a file, in megabytes, at which a new one begins.", minimum=1)
    ] = None


class Snapshots(Shape):
    """Snapshots of log volumes."""

    enabled: Annotated[bool | None, Field("Whether snapshots are made. Default false.")] = None
    min_interval: Annotated[
        str | None,
        Field(
            "Shortest time between two snapshots of one volume, as a Go duration. Default 1h.",
            pattern="^([0-9]+(ns|us|µs|ms|s|m|h))+$",
        ),
    ] = None
    namespace_retention_count: Annotated[
        Int32 | None, Field("Most snapshots to keep per namespace.", minimum=1)
    ] = None
    per_pod_retention_count: Annotated[
        Int32 | None, Field("Most snapshots to keep per pod.", minimum=1)
    ] = None
    volume_snapshot_class_name: Annotated[
        str | None, Field("Class of the snapshots. Default: the cluster's default class.")
    ] = None


class AuditLogStorage(Shape):
    """The volume of an API server pod's logs."""

    size: Annotated[Quantity | None, Field("Size of the volume.")] = None
    storage_class_name: Annotated[
        str | None, Field("Storage class. Default: the cluster's default class.")
    ] = None


@served(
    Kind(
        group="auditlogpersistence.hypershift.openshift.io",
        version="v1alpha1",
        plural="auditlogpersistenceconfigs",
        short_names=("alpc", "alpcs"),
        namespaced=False,
    )
)
@constrained(
    Rule(
        "self.metadata.name == 'cluster'",
        "exactly one configuration may exist and must be named 'cluster'",
    ),
)
class AuditLogPersistenceConfig(Resource):
    """Keeps audit logs of hosted API servers on volumes. There is one, named `cluster`."""

    spec: Annotated[AuditLogPersistenceConfigSpec, Field("How logs are kept.", optional=True)]
    status: Annotated[ConditionsStatus, Field("Whether the configuration is usable.")] = (
        ConditionsStatus()
    )
