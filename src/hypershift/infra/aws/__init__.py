"""Networks and roles of clusters on AWS."""

from hypershift.infra.aws.bastion import Bastion, create_bastion, destroy_bastion
from hypershift.infra.aws.create import (
    Keys,
    Network,
    create_network,
    planned,
    problems_of_account,
)
from hypershift.infra.aws.look import Accounts
from hypershift.infra.aws.teardown import Teardown, destroy_network
from hypershift.infra.aws.wanted import DEFAULT_CIDR, Wanted, check, tags_of

__all__ = [
    "DEFAULT_CIDR",
    "Accounts",
    "Bastion",
    "Keys",
    "Network",
    "Teardown",
    "Wanted",
    "check",
    "create_bastion",
    "create_network",
    "destroy_bastion",
    "destroy_network",
    "planned",
    "problems_of_account",
    "tags_of",
]
