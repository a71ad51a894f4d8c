"""The original's commands that work on clouds, one module per platform.

They accept and refuse what the original's do; one whose work is not built says so. A command that
is built moves to a module of its own.
"""

from hypershift.cli.clouds import aws, azure, gcp, powervs
from hypershift.cli.clouds.notation import group

_IAM, _INFRA = "Identities and roles of clusters", "Networks of clusters"

CREATE = (
    group("bastion", "Machines from which nodes can be reached", aws.CREATE_BASTION),
    group("iam", _IAM, aws.CREATE_IAM, aws.CREATE_CLI_ROLE, azure.CREATE_IAM, gcp.CREATE_IAM),
    group(
        "infra",
        _INFRA,
        aws.CREATE_INFRA,
        azure.CREATE_INFRA,
        gcp.CREATE_INFRA,
        powervs.CREATE_INFRA,
    ),
    group("operator-roles", "Roles of the operator", aws.CREATE_OPERATOR_ROLES),
)
PRODUCT_CREATE = (
    group("iam", _IAM, azure.CREATE_IAM),
    group("infra", _INFRA, azure.PRODUCT_CREATE_INFRA),
)
DESTROY = (
    group("bastion", "Machines from which nodes can be reached", aws.DESTROY_BASTION),
    group("iam", _IAM, aws.DESTROY_IAM, azure.DESTROY_IAM, gcp.DESTROY_IAM),
    group(
        "infra",
        _INFRA,
        aws.DESTROY_INFRA,
        azure.DESTROY_INFRA,
        gcp.DESTROY_INFRA,
        powervs.DESTROY_INFRA,
    ),
)
PRODUCT_DESTROY = (
    group("iam", _IAM, azure.PRODUCT_DESTROY_IAM),
    group("infra", _INFRA, azure.DESTROY_INFRA),
)
#: Clusters whose end needs work in their cloud.
CLUSTERS = (aws.DESTROY_CLUSTER, azure.DESTROY_CLUSTER, powervs.DESTROY_CLUSTER)
PRODUCT_CLUSTERS = (aws.PRODUCT_DESTROY_CLUSTER, azure.DESTROY_CLUSTER)
CONSOLE_LOGS = aws.CONSOLE_LOGS

__all__ = [
    "CLUSTERS",
    "CONSOLE_LOGS",
    "CREATE",
    "DESTROY",
    "PRODUCT_CLUSTERS",
    "PRODUCT_CREATE",
    "PRODUCT_DESTROY",
]
