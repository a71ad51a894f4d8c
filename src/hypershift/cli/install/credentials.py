"""Secrets that hold what the operator shows to clouds, from files or as roles to assume."""

import base64
from dataclasses import dataclass

from hypershift.api import labels
from hypershift.api.secret_keys import DOCKER_CONFIG
from hypershift.cli.decoding import from_json
from hypershift.cli.files import read_file
from hypershift.cli.flags import Values
from hypershift.kit import Manifest, UsageError

TOKEN_DIRECTORY = "/var/run/secrets/openshift/serviceaccount"  # noqa: S105 - a path, no secret
TOKEN_FILE = f"{TOKEN_DIRECTORY}/token"
ROLE_FLAGS = {
    "aws-private-role-arn": "operatorEC2RoleARN",
    "oidc-storage-provider-s3-role-arn": "operatorOIDCS3RoleARN",
    "external-dns-role-arn": "externalDNSRoleARN",
}


@dataclass(frozen=True, slots=True)
class Credential:
    """Where a credential is: the Secret's name and key, and the Secret when we make it."""

    name: str
    key: str
    secret: Manifest | None = None

    @property
    def made(self) -> list[Manifest]:
        return [self.secret] if self.secret else []


def completed(values: Values) -> Values:
    """The same flags with derived values: roles from a file, one spelling for each word."""
    provider = values["scale-from-zero-provider"].strip().lower()
    return _with_roles(values).having(**{"scale-from-zero-provider": provider})


def _with_roles(values: Values) -> Values:
    path = values["aws-operator-roles-file"]
    if not path:
        return values
    if any(values[flag] for flag in ROLE_FLAGS):
        raise UsageError(
            "--aws-operator-roles-file cannot be combined with --aws-private-role-arn, "
            "--oidc-storage-provider-s3-role-arn, or --external-dns-role-arn"
        )
    text = read_file(path, "failed to read operator roles file").decode()
    failing = "failed to parse operator roles file"
    roles = from_json(text, failing, "aws.CreateOperatorRolesOutput")
    found = {flag: roles.get(name, "") for flag, name in ROLE_FLAGS.items()}
    return values.having(**found)


def credential(values: Values, prefix: str, own_name: str) -> Credential | None:
    """The credential that flags with a common prefix describe; None when they are empty."""
    files = (f"{prefix}-creds", f"{prefix}-credentials")
    path = next((values.get(flag) for flag in files if values.get(flag)), "")
    role = values.get(f"{prefix}-role-arn")
    key = values.get(f"{prefix}-secret-key", "credentials")
    if path:
        return Credential(own_name, key, _secret(values, own_name, key, read_file(path)))
    if role:
        content = profile(role, values["aws-role-credential-source"]).encode()
        return Credential(own_name, key, _secret(values, own_name, key, content))
    if name := values.get(f"{prefix}-secret"):
        return Credential(name, key)
    return None


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


def _secret(values: Values, name: str, key: str, content: bytes) -> Manifest:
    return {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": name, "namespace": values["namespace"]},
        "data": {key: base64.b64encode(content).decode()},
    }


def pull_secret(values: Values) -> list[Manifest]:
    """The pull secret of the operator's namespace."""
    if not values["pull-secret"]:
        return []
    content = read_file(values["pull-secret"], "failed to read pull secret file")
    secret = _secret(values, "pull-secret", DOCKER_CONFIG, content)
    label = {labels.SAFE_TO_DELETE_WITH_CLUSTER: "true"}
    secret["metadata"]["labels"] = label
    return [secret | {"type": "kubernetes.io/dockerconfigjson"}]
