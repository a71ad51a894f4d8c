"""What a configuration asks for, with the original's defaults, and what speaks against it."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

import msgspec

from hypershift.api import encode
from hypershift.api.audit_log_persistence import (
    AuditLog,
    AuditLogPersistenceConfigSpec,
    AuditLogStorage,
    Snapshots,
)
from hypershift.api.conditions import (
    AuditLogCondition,
    AuditLogReason,
    Condition,
    false,
    true,
)
from hypershift.kit import InvalidSpec, Manifest, annotations_of, go_duration
from hypershift.kit.quantity import amount

SIZE = "5Gi"
MAX_SIZE, MAX_BACKUP = 200, 10
MIN_INTERVAL = "1h"
PER_POD, PER_NAMESPACE = 10, 50
#: kube-apiserver counts megabytes as powers of two.
MEGABYTE = 1 << 20
DEFAULT_CLASS = "storageclass.kubernetes.io/is-default-class"


@dataclass(frozen=True, slots=True)
class Wanted:
    """A configuration in which nothing is left open."""

    enabled: bool
    size: str
    storage_class: str
    max_size: int
    max_backup: int
    snapshots: bool
    min_interval: str
    per_pod: int
    per_namespace: int
    snapshot_class: str

    @property
    def interval(self) -> timedelta:
        """The shortest time between two snapshots; an unreadable one counts as the default."""
        try:
            return go_duration(self.min_interval)
        except InvalidSpec:
            return go_duration(MIN_INTERVAL)

    @property
    def handed_over(self) -> str:
        """What a control plane is annotated with: its pods' volume, and the rotation."""
        spec = AuditLogPersistenceConfigSpec(
            audit_log=AuditLog(max_backup=self.max_backup, max_size=self.max_size),
            storage=AuditLogStorage(size=self.size, storage_class_name=self.storage_class or None),
        )
        return msgspec.json.encode(encode(spec), order="sorted").decode()


def wanted(spec: AuditLogPersistenceConfigSpec) -> Wanted:
    """The configuration with its defaults."""
    log, storage = spec.audit_log or AuditLog(), spec.storage or AuditLogStorage()
    snapshots = spec.snapshots or Snapshots()
    return Wanted(
        enabled=bool(spec.enabled),
        size=str(storage.size or SIZE),
        storage_class=storage.storage_class_name or "",
        max_size=log.max_size or MAX_SIZE,
        max_backup=log.max_backup or MAX_BACKUP,
        snapshots=bool(spec.enabled and snapshots.enabled),
        min_interval=snapshots.min_interval or MIN_INTERVAL,
        per_pod=snapshots.per_pod_retention_count or PER_POD,
        per_namespace=snapshots.namespace_retention_count or PER_NAMESPACE,
        snapshot_class=snapshots.volume_snapshot_class_name or "",
    )


def storage_found(asked: Wanted, classes: Iterable[Manifest]) -> Condition:
    """Whether there is a storage class for the claims; without one no API server could start."""
    by_name = {each["metadata"]["name"]: each for each in classes}
    kind = AuditLogCondition.STORAGE_FOUND
    if asked.storage_class and asked.storage_class not in by_name:
        text = f"there is no StorageClass {asked.storage_class!r}; API servers stay as they are"
        return false(kind, AuditLogReason.STORAGE_CLASS_NOT_FOUND, text)
    is_default = any(annotations_of(each).get(DEFAULT_CLASS) == "true" for each in by_name.values())
    if not asked.storage_class and not is_default:
        text = (
            "the management cluster has no default StorageClass: name one in"
            " spec.storage.storageClassName; API servers stay as they are"
        )
        return false(kind, AuditLogReason.STORAGE_CLASS_NOT_FOUND, text)
    return true(kind)


def rotation_fits(asked: Wanted) -> Condition:
    """Whether the current file and all old ones fit the volume: what does not is lost."""
    kind = AuditLogCondition.ROTATION_FITS
    needed = asked.max_size * (asked.max_backup + 1) * MEGABYTE
    if needed > amount(asked.size):
        text = (
            f"{asked.max_backup + 1} files of {asked.max_size} MB are more than a volume of"
            f" {asked.size} holds: when it is full, API servers write no audit log"
        )
        return false(kind, AuditLogReason.VOLUME_TOO_SMALL, text)
    return true(kind)


def snapshots_available(asked: Wanted, *, served: bool) -> Condition | None:
    """Whether snapshots can be taken; None while they are not asked for."""
    kind = AuditLogCondition.SNAPSHOTS_AVAILABLE
    if not asked.snapshots:
        return None
    if not served:
        text = "the management cluster has no VolumeSnapshots: install a CSI snapshot controller"
        return false(kind, AuditLogReason.SNAPSHOTS_NOT_SERVED, text)
    return true(kind)
