"""Names of what a backup makes, most of them the original's."""

import hashlib
from typing import Final

from hypershift.api import labels
from hypershift.kit import Manifest

APP: Final = "etcd-backup"
#: ServiceAccount in the operator's namespace, Role and RoleBinding in the control plane's.
ACCOUNT: Final = "etcd-backup-job"
POLICY: Final = "allow-etcd-backup"
#: NetworkPolicy in the operator's namespace, and the label of Jobs that it leaves alone.
CONFINEMENT: Final = "etcd-backup-jobs"
ASKS_METADATA: Final = f"{labels.PREFIX}asks-metadata"
FINALIZER: Final = f"{labels.PREFIX}etcd-backup"

HCP: Final = f"{labels.PREFIX}hcp"
BACKUP_NAME: Final = f"{labels.PREFIX}backup-name"
HCP_NAMESPACE: Final = f"{labels.PREFIX}hcp-namespace"

#: On a backup: the first one of its row.
SCHEDULED_BY: Final = f"{labels.PREFIX}scheduled-by"

UPLOAD: Final = "upload"
#: The key in the credentials Secret that manifests are sealed with, and the file of a sealed one.
MANIFEST_KEY: Final = "manifest-key"
MANIFEST_FILE: Final = "cluster.manifest"
_LONGEST = 63
_DIGITS = 8


def job_name(backup: Manifest) -> str:
    """The name of a backup's Job: the same in every pass, so that a crash makes no second one.

    Pods are named after their Job in a label, which has at most 63 characters.
    """
    metadata = backup["metadata"]
    unique = hashlib.sha256(metadata["uid"].encode()).hexdigest()[:_DIGITS]
    begin = f"{APP}-{metadata['name']}"[: _LONGEST - _DIGITS - 1].rstrip("-.")
    return f"{begin}-{unique}"


def scratch_namespace(operator: str) -> str:
    """The namespace in which one backup at a time is proven, beside that of the operator."""
    suffix = "-restore-proof"
    return f"{operator[: _LONGEST - len(suffix)]}{suffix}"


def label_value(name: str) -> str:
    """A name as the value of a label; a longer one ends with a digest."""
    if len(name) <= _LONGEST:
        return name
    unique = hashlib.sha256(name.encode()).hexdigest()[:_DIGITS]
    return f"{name[: _LONGEST - _DIGITS - 1].rstrip('-._')}-{unique}"


def job_labels(backup: Manifest, plane: Manifest) -> dict[str, str]:
    """Labels of the Job and its Pod."""
    metadata = backup["metadata"]
    return {
        "app": APP,
        HCP: label_value(plane["metadata"]["name"]),
        BACKUP_NAME: label_value(metadata["name"]),
        HCP_NAMESPACE: metadata["namespace"],
    }
