"""`create`: the things a user makes."""

from hypershift.cli import cluster, kubeconfig
from hypershift.cli.command import Command

COMMAND = Command(
    "create",
    "Create clusters, node pools and what they need",
    commands=(cluster.CREATE, kubeconfig.COMMAND),
)
