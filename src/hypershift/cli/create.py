"""`create`: the things a user makes."""

from hypershift.cli import backup, clouds, cluster, kubeconfig, nodepool, oadp
from hypershift.cli.command import Command, Lazy

SUMMARY = "Create clusters, node pools and what they need"

_MODULE = "hypershift.cli.break_glass"
BREAK_GLASS = (
    Lazy("break-glass-credentials", "A kubeconfig of a break-glass signer", _MODULE, "CREATE"),
    Lazy("break-glass-revocation", "End what a break-glass signer signed", _MODULE, "REVOKE"),
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
        backup.COMMAND,
        *oadp.COMMANDS,
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
        *oadp.COMMANDS,
    ),
)
