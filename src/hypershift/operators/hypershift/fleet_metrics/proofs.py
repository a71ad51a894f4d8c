"""Gauges about backups that were restored to prove them."""

from collections.abc import Iterable, Iterator, Sequence

from prometheus_client.core import GaugeMetricFamily

from hypershift.api import annotations
from hypershift.api.conditions import ConditionStatus, EtcdBackupCondition
from hypershift.controlplane.etcd.proof import read_figures
from hypershift.kit import Manifest, annotations_of, key_of
from hypershift.operators.hypershift.fleet_metrics.family import gauge
from hypershift.runtime import condition_of

LABELS = ("namespace", "name")


def families(backups: Sequence[Manifest]) -> Iterator[GaugeMetricFamily]:
    """Every gauge about proofs; a backup whose proof has no result is in none."""
    proven = ((one, _status(one)) for one in backups)
    yield gauge(
        "hypershift_etcd_backup_restore_proven",
        "Whether a backup was restored and everything was there: 1=yes, 0=no.",
        LABELS,
        (
            (_labels(one), float(status == ConditionStatus.TRUE))
            for one, status in proven
            if status in (ConditionStatus.TRUE, ConditionStatus.FALSE)
        ),
    )
    yield gauge(
        "hypershift_etcd_backup_restore_seconds",
        "From the fetch of a backup until its scratch control plane was ready.",
        LABELS,
        ((_labels(one), seconds) for one, seconds in _measured(backups)),
    )


def _measured(backups: Iterable[Manifest]) -> Iterator[tuple[Manifest, float]]:
    for one in backups:
        figures = read_figures(annotations_of(one).get(annotations.RESTORE_PROOF, ""))
        if figures is not None and figures.seconds:
            yield one, figures.seconds


def _status(backup: Manifest) -> str:
    return str((condition_of(backup, EtcdBackupCondition.RESTORE_PROVEN) or {}).get("status"))


def _labels(backup: Manifest) -> tuple[str, str]:
    key = key_of(backup)
    return key.namespace, key.name
