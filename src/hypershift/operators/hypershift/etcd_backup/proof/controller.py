"""The controller of restore proofs.

(BackupSucceeded) -> WaitingForRestoreProof (another one runs) -> RestoreProofInProgress
                  -> Restored | what was found instead -> scratch namespace deleted

The scratch namespace has one name, so that one backup is proven at a time, whichever replica of
the operator looks after it. Whoever creates it has the turn; its annotations say which backup.
"""

from collections.abc import Sequence

from hypershift.api.conditions import Owner
from hypershift.kube import kinds
from hypershift.operators.hypershift.etcd_backup.proof.follow import follow_job
from hypershift.operators.hypershift.etcd_backup.proof.look import choose, look
from hypershift.operators.hypershift.etcd_backup.proof.scope import ProofScope
from hypershift.operators.hypershift.etcd_backup.proof.scratch import start, take_turn
from hypershift.operators.hypershift.etcd_backup.scope import Environment
from hypershift.runtime import Controller, Phase

NAME = Owner.RESTORE_PROOF.value
NORMAL: Sequence[Phase[ProofScope]] = (choose, look, take_turn, follow_job, start)


def controller(environment: Environment) -> Controller[ProofScope]:
    """The controller of one condition of HCPEtcdBackups."""
    return Controller(
        name=NAME,
        resource=kinds.HCP_ETCD_BACKUP,
        scope=lambda found, context: ProofScope(found, context, environment),
        normal=NORMAL,
        stop_on_error=True,
        honour_pause=False,
    )
