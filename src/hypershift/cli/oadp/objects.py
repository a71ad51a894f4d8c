"""Objects of Velero for hosted clusters, as the original renders them."""

import hashlib
from dataclasses import dataclass
from typing import Any

from hypershift.api import labels
from hypershift.ignition.fingerprint import shortened
from hypershift.kit import Manifest

API = "velero.io/v1"
LONGEST = 63
_CLUSTER = "hypershift.openshift.io/hosted-cluster"
_CAPI, _INFRA = "cluster.x-k8s.io", "infrastructure.cluster.x-k8s.io"

_VOLUMES = ("persistentvolumeclaims", "persistentvolumes")
_BEGIN = ("serviceaccounts", "roles", "rolebindings", "pods")
_OURS = (
    "configmaps",
    "priorityclasses",
    "poddisruptionbudgets",
    "hostedclusters.hypershift.openshift.io",
    "nodepools.hypershift.openshift.io",
    "secrets",
    "services",
)
_WORKLOADS = ("deployments", "statefulsets")
_MACHINES = (
    "hostedcontrolplanes.hypershift.openshift.io",
    f"clusters.{_CAPI}",
    f"machinedeployments.{_CAPI}",
    f"machinesets.{_CAPI}",
    f"machines.{_CAPI}",
    "routes.route.openshift.io",
    "clusterdeployments.hive.openshift.io",
)
WHOLE = (*_BEGIN, *_VOLUMES, *_OURS, *_WORKLOADS, *_MACHINES)
#: etcd's data comes from a snapshot, so neither volumes nor workloads are kept.
WITH_SNAPSHOT = (*_BEGIN, *_OURS, *_MACHINES, "namespaces")


def _provider(name: str, *kinds: str) -> tuple[str, ...]:
    return tuple(f"{name}{kind}.{_INFRA}" for kind in kinds)


_USUAL = ("clusters", "machinetemplates", "machines")
_AGENT = "agent-install.openshift.io"
#: What the cluster's infrastructure adds, by the platform in capitals; others count as AWS.
PLATFORMS = {
    "AWS": _provider("aws", *_USUAL),
    "AGENT": (
        *(f"agent{kind}.capi-provider.{_AGENT}" for kind in _USUAL),
        f"agents.{_AGENT}",
        f"infraenvs.{_AGENT}",
        f"nmstateconfigs.{_AGENT}",
        "baremetalhosts.metal3.io",
    ),
    "KUBEVIRT": (*_provider("kubevirt", *_USUAL[:2]), "datavolumes.cdi.kubevirt.io"),
    "OPENSTACK": _provider("openstack", *_USUAL),
    "AZURE": _provider("azure", *_USUAL),
}
EXCLUDED_WITH_SNAPSHOT = (
    "nodes",
    "events",
    "events.events.k8s.io",
    "backups.velero.io",
    "restores.velero.io",
    "resticrepositories.velero.io",
)
EXCLUDED = (
    *EXCLUDED_WITH_SNAPSHOT,
    "csinodes.storage.k8s.io",
    "volumeattachments.storage.k8s.io",
    "backuprepositories.velero.io",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """The hosted cluster, and how it is kept."""

    name: str
    namespace: str
    velero: str  # namespace of OADP
    platform: str = "AWS"
    more_namespaces: tuple[str, ...] = ()
    use_snapshot: bool = False

    @property
    def namespaces(self) -> list[str]:
        """The cluster's own, its control plane's, and those that the user adds."""
        return [self.namespace, f"{self.namespace}-{self.name}", *self.more_namespaces]

    @property
    def resources(self) -> list[str]:
        """The kinds that are kept."""
        base = WITH_SNAPSHOT if self.use_snapshot else WHOLE
        return [*base, *PLATFORMS.get(self.platform.upper(), PLATFORMS["AWS"])]

    @property
    def is_kubevirt(self) -> bool:
        """Whether machines' boot volumes are left out: after a restore they are created again."""
        return self.platform.upper() == "KUBEVIRT"


@dataclass(frozen=True, slots=True, kw_only=True)
class Keeping:
    """How a backup is kept."""

    location: str
    ttl: str
    resources: tuple[str, ...] | None = None
    move_data: bool = True
    volumes_as_files: bool = False


def generated_name(subject: Subject, suffix: str) -> str:
    """A name for what the user did not name."""
    return shortened(f"{subject.name}-{subject.namespace}", suffix, LONGEST)


def backup_spec(subject: Subject, keeping: Keeping) -> Manifest:
    """What a backup keeps and how."""
    resources = list(keeping.resources) if keeping.resources is not None else subject.resources
    spec: Manifest = {
        "includedNamespaces": subject.namespaces,
        "includedResources": resources,
        "storageLocation": keeping.location,
        "ttl": keeping.ttl,
    }
    if subject.use_snapshot:
        spec |= {
            "excludedResources": [],
            "itemOperationTimeout": "4h0m0s",
            "snapshotMoveData": False,
            "defaultVolumesToFsBackup": False,
            "snapshotVolumes": False,
        }
    else:
        spec |= {
            "csiSnapshotTimeout": "10m0s",
            "snapshotMoveData": keeping.move_data,
            "defaultVolumesToFsBackup": keeping.volumes_as_files,
            "dataMover": "velero",
            "snapshotVolumes": True,
        }
    if subject.is_kubevirt:
        rule = {"key": labels.IS_KUBEVIRT_RHCOS, "operator": "DoesNotExist"}
        spec["labelSelector"] = {"matchExpressions": [rule]}
        spec["resourcePolicy"] = {"kind": "configmap", "name": policy_name(subject)}
    return spec


def backup(subject: Subject, keeping: Keeping, name: str) -> Manifest:
    """One backup."""
    kept = {"velero.io/storage-location": keeping.location}
    return _object("Backup", subject, name, backup_spec(subject, keeping), kept)


def schedule(
    subject: Subject, keeping: Keeping, name: str, pace: str, switches: dict[str, bool]
) -> Manifest:
    """The Schedule of periodic backups."""
    marks = {
        "velero.io/storage-location": keeping.location,
        _CLUSTER: subject.name,
        f"{_CLUSTER}-namespace": subject.namespace,
    }
    spec: Manifest = {"template": backup_spec(subject, keeping), "schedule": pace, **switches}
    return _object("Schedule", subject, name, spec, marks)


def restore(subject: Subject, name: str, source: dict[str, str], options: Manifest) -> Manifest:
    """A restore from a backup, or from the newest one of a schedule."""
    excluded = EXCLUDED_WITH_SNAPSHOT if subject.use_snapshot else EXCLUDED
    spec: dict[str, Any] = {
        "includedNamespaces": subject.namespaces,
        "excludedResources": list(excluded),
        **options,
        **source,
    }
    if subject.use_snapshot:
        spec |= {"restorePVs": False, "cleanupBeforeRestore": "CleanupRestored"}
        if taken := source.get("backupName"):
            parts = ("ManagedClusters", "Credentials", "Resources")
            spec |= {f"velero{part}BackupName": taken for part in parts}
    return _object("Restore", subject, name, spec)


def policy_name(subject: Subject) -> str:
    """The same name for the same cluster, so that a retry makes no second ConfigMap."""
    digest = hashlib.sha256(f"{subject.name}-{subject.namespace}".encode()).hexdigest()
    return generated_name(subject, digest[:6])


def policy(subject: Subject) -> Manifest:
    """Tell Velero to skip the boot volumes of machines."""
    text = (
        "version: v1\nvolumePolicies:\n  - conditions:\n      pvcLabels:\n"
        f'        {labels.IS_KUBEVIRT_RHCOS}: "true"\n    action:\n      type: skip\n'
    )
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": policy_name(subject), "namespace": subject.velero},
        "data": {"policies.yaml": text},
    }


def _object(
    kind: str, subject: Subject, name: str, spec: Manifest, marks: dict[str, str] | None = None
) -> Manifest:
    metadata: Manifest = {"name": name, "namespace": subject.velero}
    if marks:
        metadata["labels"] = marks
    return {"apiVersion": API, "kind": kind, "metadata": metadata, "spec": spec}
