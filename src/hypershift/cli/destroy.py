"""`destroy`: what `create` made, gone without a trace."""

from hypershift.cli import cluster
from hypershift.cli.command import Command

COMMAND = Command(
    "destroy",
    "Destroy clusters and what belongs to them",
    commands=(cluster.DESTROY,),
)
