"""Programs of a scratch control plane that proves a backup: fetch it, and compare what came back.

    fetch (ours) -> unpack (etcdutl) -> etcd -> kube-apiserver -> compare (ours)

All of them share one Pod and one folder; nobody else reaches them.
"""

from hypershift.controlplane.etcd.proof.folder import CANARY, Folder
from hypershift.controlplane.etcd.proof.verdict import (
    Disproved,
    Verdict,
    read_figures,
    read_verdict,
)

__all__ = ["CANARY", "Disproved", "Folder", "Verdict", "read_figures", "read_verdict"]
