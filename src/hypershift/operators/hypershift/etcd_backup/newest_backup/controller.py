"""The controller of one condition of HostedControlPlanes."""

from collections.abc import Sequence

from hypershift.api.conditions import Owner
from hypershift.kube import kinds
from hypershift.kube.cache import BY_NAMESPACE
from hypershift.operators.hypershift.etcd_backup.newest_backup.look import find_backups
from hypershift.operators.hypershift.etcd_backup.newest_backup.scope import NewestBackupScope
from hypershift.operators.hypershift.etcd_backup.newest_backup.status import report_newest
from hypershift.runtime import Controller, Phase, Watch, mapping

NORMAL: Sequence[Phase[NewestBackupScope]] = (find_backups, report_newest)


def controller() -> Controller[NewestBackupScope]:
    """The controller; a backup wakes the control plane of its namespace."""
    backups = Watch(kinds.HCP_ETCD_BACKUP, mapping.its_namespace, through=BY_NAMESPACE.name)
    return Controller(
        name=Owner.ETCD_BACKUP_REPORT.value,
        resource=kinds.HOSTED_CONTROL_PLANE,
        scope=NewestBackupScope,
        normal=NORMAL,
        watches=(backups,),
        honour_pause=False,
    )
