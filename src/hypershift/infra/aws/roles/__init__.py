"""Identities of clusters on AWS: their OIDC provider, roles and instance profile."""

from hypershift.infra.aws.roles.create import create_roles, described_roles, planned_roles
from hypershift.infra.aws.roles.remove import destroy_roles
from hypershift.infra.aws.roles.wanted import WantedRoles, issuer_of_bucket

__all__ = [
    "WantedRoles",
    "create_roles",
    "described_roles",
    "destroy_roles",
    "issuer_of_bucket",
    "planned_roles",
]
