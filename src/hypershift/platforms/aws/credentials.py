"""Credentials of components on AWS: a role, and the file with the token that lends it.

No key is in them: each component shows a token of a service account of the hosted cluster, and AWS
lends it the role that trusts this account.
"""

import configparser
from base64 import b64encode
from collections.abc import Iterator

from hypershift.api import HostedCluster
from hypershift.api.platforms.aws import AWSRoles
from hypershift.kit import InvalidSpec, Manifest, data_of
from hypershift.kit.lines import one_line
from hypershift.platforms.aws.section import section_of
from hypershift.platforms.cluster import ClusterFacts

KEY = "credentials"
TOKEN_DIRECTORY = "/var/run/secrets/openshift/serviceaccount"  # noqa: S105 - a directory
#: A role may be named by a Secret of the user, in a credentials file of this form.
FROM_SECRET = "arn-from-secret::"  # noqa: S105 - the start of a reference
NODE_MANAGEMENT = "node-management-creds"
CONTROL_PLANE_OPERATOR = "control-plane-operator-creds"
KMS = "kms-creds"


def roles(section: AWSRoles) -> dict[str, str]:
    """The roles of components, by the Secrets that name them; several may be one role."""
    return {
        "cloud-controller-creds": section.kube_cloud_controller_arn,
        NODE_MANAGEMENT: section.node_pool_management_arn,
        CONTROL_PLANE_OPERATOR: section.control_plane_operator_arn,
        "cloud-network-config-controller-creds": section.network_arn,
        "ebs-cloud-credentials": section.storage_arn,
    }


def secrets_of_roles(cluster: HostedCluster) -> tuple[str, ...]:
    """The Secrets of the user that name roles."""
    section = cluster.spec.platform.aws
    named = [*(roles(section.roles_ref).values() if section else ()), key_service_role(cluster)]
    found = (arn.removeprefix(FROM_SECRET) for arn in named if arn.startswith(FROM_SECRET))
    return tuple(dict.fromkeys(found))


def of_components(facts: ClusterFacts) -> Iterator[Manifest]:
    """Yield the Secret of each component."""
    for name, arn in roles(section_of(facts.cluster).roles_ref).items():
        yield _secret(facts, name, arn)


def of_key_service(facts: ClusterFacts) -> Iterator[Manifest]:
    """Yield the Secret of the plug-in, where keys of AWS encrypt what is stored."""
    if arn := key_service_role(facts.cluster):
        yield _secret(facts, KMS, arn)


def key_service_role(cluster: HostedCluster) -> str:
    """The role of the key service's plug-in; empty without one."""
    kms = cluster.spec.secret_encryption and cluster.spec.secret_encryption.kms
    return kms.aws.auth.aws_kms if kms and kms.aws else ""


def role_in(document: str) -> str:
    """The role that a credentials file names; empty when it names none."""
    parser = configparser.ConfigParser(interpolation=None)
    try:
        parser.read_string(document)
        return parser.get("default", "role_arn", fallback="")
    except configparser.Error:
        return ""


def _secret(facts: ClusterFacts, name: str, arn: str) -> Manifest:
    region = one_line(section_of(facts.cluster).region, "spec.platform.aws.region")
    role = _resolved(facts, arn)
    if not role or not region:
        field = "spec.platform.aws"
        raise InvalidSpec(f"no role or no region for the credentials {name}", field=field)
    text = (
        "[default]\n"
        f"role_arn = {role}\n"
        f"web_identity_token_file = {TOKEN_DIRECTORY}/token\n"
        "sts_regional_endpoints = regional\n"
        f"region = {region}\n"
    )
    return {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": name, "namespace": facts.namespace},
        "type": "Opaque",
        "data": {KEY: b64encode(text.encode()).decode()},
    }


def _resolved(facts: ClusterFacts, arn: str) -> str:
    if not arn.startswith(FROM_SECRET):
        return _one_line(arn)
    name = arn.removeprefix(FROM_SECRET)
    document = data_of(facts.secret(name), KEY).decode(errors="replace")
    if role := role_in(document):
        return _one_line(role)
    raise InvalidSpec(
        f"Secret {name} has no role_arn in the profile [default] of its key {KEY!r}",
        field="spec.platform.aws.rolesRef",
    )


def _one_line(arn: str) -> str:
    """The name of a role; a second line would be a setting of its own in the file."""
    if " " in arn:
        raise InvalidSpec(f"{arn[:80]!r} is not the name of a role", field="spec.platform.aws")
    return one_line(arn, "spec.platform.aws.rolesRef")
