"""`create`: the things a user makes."""

from hypershift.cli import backup, clouds, cluster, kubeconfig, nodepool, oadp
from hypershift.cli import break_glass, clouds, cluster, kubeconfig, nodepool
from hypershift.cli.command import Command

SUMMARY = "Create clusters, node pools and what they need"

COMMAND = Command(
    "create",
    SUMMARY,
    commands=(
        cluster.CREATE,
        nodepool.CREATE,
        kubeconfig.COMMAND,
        *clouds.CREATE,
        backup.COMMAND,
        *oadp.COMMANDS,
        break_glass.CREATE,
        break_glass.REVOKE,
        *clouds.CREATE,
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
