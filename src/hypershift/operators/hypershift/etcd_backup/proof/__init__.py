"""Proven restores: a backup is restored in a scratch control plane without nodes, and compared."""

from hypershift.operators.hypershift.etcd_backup.proof.controller import controller
from hypershift.operators.hypershift.etcd_backup.proof.scratch import give_up

__all__ = ["controller", "give_up"]
