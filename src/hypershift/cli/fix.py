"""`fix`: repair what a disaster left."""

from hypershift.cli.clouds import aws
from hypershift.cli.clouds.notation import group
from hypershift.cli.recovery import etcd

COMMAND = group("fix", "Repair what a disaster left", aws.FIX_DR_OIDC_IAM, etcd.COMMAND)
