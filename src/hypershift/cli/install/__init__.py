"""`install`: the operator on any Kubernetes cluster, applied or as text."""

from hypershift.cli.command import Command
from hypershift.cli.flags import BOOL, Flag
from hypershift.cli.install import apply, helm, render
from hypershift.cli.install.options import FLAGS, ApplyOptions
from hypershift.cli.typed import Typed

COMMAND = Command(
    "install",
    "Install the HyperShift operator",
    flags=(
        *FLAGS,
        Flag("install-scope", "all, crds or resources", default="all"),
        Flag("wait-until-available", "Wait until the operator is available", BOOL),
        Flag("wait-until-crds-established", "Wait until the definitions are established", BOOL),
        Flag("check", "Only say what the cluster has and lacks for an installation", BOOL),
    ),
    commands=(render.COMMAND, helm.COMMAND),
    run=Typed(ApplyOptions, apply.run),
)
__all__ = ["COMMAND"]
