"""Gauges about proven backups: a result counts, and what has none is in no series."""

from hypershift.api import annotations
from hypershift.api.conditions import RestoreProofReason
from hypershift.controlplane.etcd.proof import Verdict
from hypershift.kit import Manifest
from hypershift.operators.hypershift.fleet_metrics import proofs

FIGURES = Verdict(RestoreProofReason.RESTORED, "", 12.5, 1, 2, 3, 4, 5).figures()


def a_backup(name: str, status: str = "", figures: str = "") -> Manifest:
    made: Manifest = {"metadata": {"name": name, "namespace": "clusters-demo"}}
    if status:
        told = {"type": "RestoreProven", "status": status, "reason": "Any"}
        made["status"] = {"conditions": [told]}
    if figures:
        made["metadata"]["annotations"] = {annotations.RESTORE_PROOF: figures}
    return made


def series(*backups: Manifest) -> dict[tuple[str, str], float]:
    return {
        (family.name, sample.labels["name"]): sample.value
        for family in proofs.families(backups)
        for sample in family.samples
    }


def test_proofs_with_a_result_are_shown() -> None:
    found = series(
        a_backup("good", "True", FIGURES),
        a_backup("bad", "False", figures="{"),
        a_backup("waiting", "Unknown"),
        a_backup("plain"),
    )
    assert found == {
        ("hypershift_etcd_backup_restore_proven", "good"): 1.0,
        ("hypershift_etcd_backup_restore_proven", "bad"): 0.0,
        ("hypershift_etcd_backup_restore_seconds", "good"): 12.5,
    }
