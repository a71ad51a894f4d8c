"""`create`: the things a user makes."""

from hypershift.cli import clouds, cluster, kubeconfig, nodepool
from hypershift.cli.command import Command, Lazy

SUMMARY = "Create clusters, node pools and what they need"

_BREAK_GLASS = "hypershift.cli.break_glass"
BREAK_GLASS = (
    Lazy("break-glass-credentials", "A kubeconfig of a break-glass signer", _BREAK_GLASS, "CREATE"),
    Lazy("break-glass-revocation", "End what a break-glass signer signed", _BREAK_GLASS, "REVOKE"),
)
BACKUP = Lazy("backup", "Back up the etcd of a hosted cluster", "hypershift.cli.backup")
_OADP = "hypershift.cli.oadp"
OADP = (
    Lazy("oadp-backup", "Back a hosted cluster up with OADP", _OADP, "BACKUP"),
    Lazy("oadp-restore", "Restore a hosted cluster with OADP", _OADP, "RESTORE"),
    Lazy("oadp-schedule", "Back a hosted cluster up with OADP again and again", _OADP, "SCHEDULE"),
)

COMMAND = Command(
    "create",
    SUMMARY,
    commands=(
        cluster.CREATE,
        nodepool.CREATE,
        kubeconfig.COMMAND,
        *BREAK_GLASS,
        *clouds.CREATE,
        BACKUP,
        *OADP,
    ),
)
PRODUCT = Command(
    "create",
    SUMMARY,
    commands=(
        cluster.PRODUCT_CREATE,
        nodepool.PRODUCT_CREATE,
        kubeconfig.COMMAND,
        *clouds.PRODUCT_CREATE,
        *OADP,
    ),
)
