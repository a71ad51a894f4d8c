"""`destroy`: what `create` made, gone without a trace."""

from hypershift.cli import clouds, cluster, nodepool
from hypershift.cli.command import Command

SUMMARY = "Destroy clusters and what belongs to them"

COMMAND = Command("destroy", SUMMARY, commands=(cluster.DESTROY, *clouds.DESTROY))
PRODUCT = Command(
    "destroy",
    SUMMARY,
    commands=(cluster.PRODUCT_DESTROY, nodepool.DESTROY, *clouds.PRODUCT_DESTROY),
)
