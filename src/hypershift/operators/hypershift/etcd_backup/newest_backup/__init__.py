"""EtcdBackupSucceeded of a HostedControlPlane: the result of its newest backup."""

from hypershift.operators.hypershift.etcd_backup.newest_backup.controller import controller

__all__ = ["controller"]
