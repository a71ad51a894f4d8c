"""`hypershift local`: a management cluster on this machine."""

from hypershift.cli.command import Command, Lazy
from hypershift.cli.local.common import NAME, STATE

_HERE = "hypershift.cli.local"

COMMAND = Command(
    "local",
    "A management cluster on this machine",
    description=(
        "A real Kubernetes cluster out of real parts, on this machine alone: its control plane as\n"
        "processes, its nodes as machines made of namespaces. Needs root and Linux."
    ),
    examples="hypershift local up --nodes 3 --zones 3",
    flags=(NAME, STATE),
    commands=(
        Lazy("up", "Create the cluster, or start it again", f"{_HERE}.up", "UP"),
        Lazy("down", "Stop the cluster and keep its data", f"{_HERE}.stop", "DOWN"),
        Lazy("reset", "Remove the cluster and every trace of it", f"{_HERE}.stop", "RESET"),
        Lazy("status", "Show units and machines", f"{_HERE}.look", "STATUS"),
        Lazy("kubeconfig", "Print the admin's kubeconfig", f"{_HERE}.look", "KUBECONFIG"),
        Lazy("logs", "Print the log of a unit or a machine's console", f"{_HERE}.look", "LOGS"),
        Lazy("list", "Show the clusters of this user", f"{_HERE}.look", "LIST"),
        Lazy("machine", "The cluster's machines", f"{_HERE}.machine", "MACHINE"),
        Lazy("zone", "Lose a zone and get it back", f"{_HERE}.machine", "ZONE"),
        Lazy("image", "Images of the cluster's nodes", f"{_HERE}.image", "IMAGE"),
    ),
)
