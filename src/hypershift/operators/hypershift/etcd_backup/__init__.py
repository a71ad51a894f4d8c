"""HCPEtcdBackup: snapshots of hosted clusters' etcd, taken by Jobs beside the operator."""

from hypershift.operators.hypershift.etcd_backup.controller import controllers
from hypershift.operators.hypershift.etcd_backup.scope import Environment

__all__ = ["Environment", "controllers"]
