"""What an AuditLogPersistenceConfig asks for, and what is said about it."""

import pytest

from hypershift.api import AuditLogPersistenceConfig, decode, read
from hypershift.api.audit_log_persistence import AuditLogPersistenceConfigSpec
from hypershift.kit import Manifest
from hypershift.operators.hypershift.audit_logs.rules.wanted import (
    Wanted,
    rotation_fits,
    snapshots_available,
    storage_found,
    wanted,
)


def asked(**spec: object) -> Wanted:
    kind = {"apiVersion": "auditlogpersistence.hypershift.openshift.io/v1alpha1"}
    config = {**kind, "kind": "AuditLogPersistenceConfig", "metadata": {"name": "cluster"}}
    return wanted(read(AuditLogPersistenceConfig, {**config, "spec": spec}).spec)


def a_class(name: str, *, default: bool = False) -> Manifest:
    marks = {"storageclass.kubernetes.io/is-default-class": "true"} if default else {}
    return {"metadata": {"name": name, "annotations": marks}, "provisioner": "x"}


def test_what_is_left_open_is_as_the_original_fills_it_in() -> None:
    found = asked(enabled=True)
    assert (found.size, found.storage_class, found.max_size, found.max_backup) == (
        "5Gi",
        "",
        200,
        10,
    )
    assert not found.snapshots
    assert (found.min_interval, found.per_pod, found.per_namespace) == ("1h", 10, 50)


def test_snapshots_are_taken_only_of_logs_that_are_kept() -> None:
    assert asked(enabled=True, snapshots={"enabled": True}).snapshots
    assert not asked(enabled=False, snapshots={"enabled": True}).snapshots


def test_a_control_plane_reads_what_it_was_told() -> None:
    said = asked(
        enabled=True,
        auditLog={"maxSize": 50, "maxBackup": 3},
        storage={"size": "1Gi", "storageClassName": "fast"},
    ).handed_over
    found = decode(AuditLogPersistenceConfigSpec, said)
    assert found.audit_log is not None
    assert found.storage is not None
    assert (found.audit_log.max_size, found.audit_log.max_backup) == (50, 3)
    assert (found.storage.size, found.storage.storage_class_name) == ("1Gi", "fast")


def test_the_named_storage_class_has_to_be_there() -> None:
    named = asked(enabled=True, storage={"storageClassName": "fast"})
    assert storage_found(named, [a_class("fast")]).is_true
    found = storage_found(named, [a_class("slow", default=True)])
    assert not found.is_true
    assert "'fast'" in found.message


def test_without_a_named_class_there_has_to_be_a_default() -> None:
    assert storage_found(asked(enabled=True), [a_class("slow", default=True)]).is_true
    assert not storage_found(asked(enabled=True), [a_class("slow")]).is_true


@pytest.mark.parametrize(("size", "fits"), [("5Gi", True), ("2200Mi", True), ("2Gi", False)])
def test_all_files_have_to_fit_the_volume(size: str, fits: bool) -> None:  # noqa: FBT001
    assert rotation_fits(asked(enabled=True, storage={"size": size})).is_true is fits


def test_snapshots_need_their_definition() -> None:
    config = asked(enabled=True, snapshots={"enabled": True})
    available = snapshots_available(config, served=True)
    missing = snapshots_available(config, served=False)
    assert available is not None
    assert available.is_true
    assert missing is not None
    assert not missing.is_true
    assert snapshots_available(asked(enabled=True), served=False) is None
