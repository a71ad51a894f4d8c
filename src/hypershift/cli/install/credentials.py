"""Secrets that hold what the operator shows to clouds, from files or as roles to assume."""

import base64
from dataclasses import dataclass, replace
from typing import TypeVar

from hypershift.api import labels
from hypershift.api.secret_keys import DOCKER_CONFIG
from hypershift.cli.decoding import Struct, from_json
from hypershift.cli.files import read_file
from hypershift.cli.install.options import InstallOptions
from hypershift.kit import Manifest, UsageError

TOKEN_DIRECTORY = "/var/run/secrets/openshift/serviceaccount"  # noqa: S105 - a path, no secret
TOKEN_FILE = f"{TOKEN_DIRECTORY}/token"
_ROLES = Struct(
    "aws.CreateOperatorRolesOutput",
    {"operatorEC2RoleARN": str, "operatorOIDCS3RoleARN": str, "externalDNSRoleARN": str},
)
Options = TypeVar("Options", bound=InstallOptions)


@dataclass(frozen=True, slots=True)
class Credential:
    """Where a credential is: the Secret's name and key, and the Secret when we make it."""

    name: str
    key: str
    secret: Manifest | None = None

    @property
    def made(self) -> list[Manifest]:
        return [self.secret] if self.secret else []


def completed(options: Options) -> Options:
    """The same options with derived values: roles from a file, one spelling for each word."""
    provider = options.scale_from_zero_provider.strip().lower()
    return replace(_with_roles(options), scale_from_zero_provider=provider)


def _with_roles(options: Options) -> Options:
    path = options.aws_operator_roles_file
    if not path:
        return options
    if (
        options.aws_private_role_arn
        or options.oidc_storage_provider_s3_role_arn
        or options.external_dns_role_arn
    ):
        raise UsageError(
            "--aws-operator-roles-file cannot be combined with --aws-private-role-arn, "
            "--oidc-storage-provider-s3-role-arn, or --external-dns-role-arn"
        )
    text = read_file(path, "failed to read operator roles file")
    failing = "failed to parse operator roles file"
    roles = from_json(text, failing, _ROLES)
    return replace(
        options,
        aws_private_role_arn=roles["operatorEC2RoleARN"],
        oidc_storage_provider_s3_role_arn=roles["operatorOIDCS3RoleARN"],
        external_dns_role_arn=roles["externalDNSRoleARN"],
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where a credential comes from: a file, a role to assume, or a Secret that is there."""

    file: str
    secret: str
    role: str = ""
    key: str = "credentials"


def credential(options: InstallOptions, source: Source, own_name: str) -> Credential | None:
    """The credential of a source, in a Secret that we name; None when the source is empty."""
    key = source.key
    if source.file:
        content = read_file(source.file)
        return Credential(own_name, key, _secret(options, own_name, key, content))
    if source.role:
        content = profile(source.role, options.aws_role_credential_source).encode()
        return Credential(own_name, key, _secret(options, own_name, key, content))
    return Credential(source.secret, key) if source.secret else None


def profile(role: str, source: str) -> str:
    """An AWS profile that assumes a role."""
    if source == "ec2-instance-metadata":
        how = "credential_source = Ec2InstanceMetadata"
    else:
        how = f"web_identity_token_file = {TOKEN_FILE}"
    return f"[default]\nrole_arn = {role}\n{how}\n"


def token_volume() -> Manifest:
    """The token of a pod's account, as clouds ask for it."""
    token = {"serviceAccountToken": {"audience": "openshift", "path": "token"}}
    return {"name": "token", "projected": {"sources": [token]}}


def _secret(options: InstallOptions, name: str, key: str, content: bytes) -> Manifest:
    return {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": name, "namespace": options.namespace},
        "data": {key: base64.b64encode(content).decode()},
    }


def pull_secret(options: InstallOptions) -> list[Manifest]:
    """The pull secret of the operator's namespace."""
    if not options.pull_secret:
        return []
    content = read_file(options.pull_secret, "failed to read pull secret file")
    secret = _secret(options, "pull-secret", DOCKER_CONFIG, content)
    label = {labels.SAFE_TO_DELETE_WITH_CLUSTER: "true"}
    secret["metadata"]["labels"] = label
    return [secret | {"type": "kubernetes.io/dockerconfigjson"}]
