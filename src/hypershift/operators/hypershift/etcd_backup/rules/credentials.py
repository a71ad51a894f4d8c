"""How a backup's Job proves to the store who it is: read from the Secret that the backup names."""

import json
from dataclasses import dataclass
from enum import StrEnum

from hypershift.kit import Manifest, data_of

FILE, CLOUD = "credentials", "cloud"
#: Authorities of a store of the user's own.
BUNDLE = "ca-bundle.crt"
_CLIENT = "AZURE_CLIENT_ID="


class Mode(StrEnum):
    """Kinds of credentials."""

    AWS_STATIC = "aws-static"
    AWS_STS = "aws-sts"
    AZURE_CLIENT_SECRET = "azure-client-secret"  # noqa: S105 (the name of a way)
    AZURE_WORKLOAD_IDENTITY = "azure-workload-identity"
    AZURE_MANAGED_IDENTITY = "azure-managed-identity"


@dataclass(frozen=True, slots=True)
class Credentials:
    """What a Secret holds, without any secret value."""

    mode: Mode
    secret: str  # its name
    role: str = ""  # ARN, with AWS_STS
    client: str = ""  # id, with AZURE_WORKLOAD_IDENTITY
    has_bundle: bool = False  # the store's certificate is signed by an authority of the user's

    @property
    def needs_file(self) -> bool:
        """Whether the Job reads the Secret's file itself."""
        return self.mode in (Mode.AWS_STATIC, Mode.AZURE_CLIENT_SECRET)

    @property
    def azure_auth_type(self) -> str:
        """The value of `--azure-auth-type`."""
        return self.mode.value.removeprefix("azure-")


def aws_credentials(secret: Manifest) -> Credentials:
    """An ARN names a role to assume by a token; everything else is a credentials file."""
    name, text = secret["metadata"]["name"], _text(secret, FILE).strip()
    if text.startswith("arn:"):
        return Credentials(Mode.AWS_STS, name, role=text)
    return Credentials(Mode.AWS_STATIC, name, has_bundle=BUNDLE in (secret.get("data") or {}))


def azure_credentials(secret: Manifest) -> Credentials:
    """A client secret, a workload identity, or else the identity of the machine."""
    name = secret["metadata"]["name"]
    if CLOUD in (secret.get("data") or {}):
        lines = (line.strip() for line in _text(secret, CLOUD).splitlines())
        named = (line.removeprefix(_CLIENT).strip() for line in lines if line.startswith(_CLIENT))
        if client := next(named, ""):
            return Credentials(Mode.AZURE_WORKLOAD_IDENTITY, name, client=client)
    elif _has_client_secret(_text(secret, FILE)):
        return Credentials(Mode.AZURE_CLIENT_SECRET, name)
    return Credentials(Mode.AZURE_MANAGED_IDENTITY, name)


def _has_client_secret(text: str) -> bool:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and bool(found.get("clientSecret"))


def _text(secret: Manifest, key: str) -> str:
    return data_of(secret, key).decode(errors="replace")
