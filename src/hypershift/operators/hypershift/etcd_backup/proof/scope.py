"""What one pass over the proof of a backup knows."""

from dataclasses import dataclass

from hypershift.operators.hypershift.etcd_backup import names
from hypershift.operators.hypershift.etcd_backup.scope import BackupScope


@dataclass(slots=True)
class ProofScope(BackupScope):
    """One pass over the proof of an HCPEtcdBackup; `look` fills the plane and the cluster."""

    @property
    def scratch(self) -> str:
        """The namespace that has room for one proof."""
        return names.scratch_namespace(self.operator_namespace)
