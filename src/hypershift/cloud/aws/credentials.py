"""Who we are on AWS: a file, session credentials with a role, a Secret's keys, or the SDK's chain.

The order is the original's. Keys never leave this module but inside a session of boto3.
"""

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from hypershift.cloud.aws.errors import of_response
from hypershift.kit import Secret, UsageError

PRODUCT = "openshift.io hypershift"


@dataclass(frozen=True, slots=True)
class Keys:
    """Keys of a session on AWS."""

    access_key_id: str
    secret_access_key: Secret[str]
    session_token: Secret[str]


@dataclass(frozen=True, slots=True)
class Login:
    """The credentials for AWS that a user gave; all empty means the SDK's own chain."""

    file: str = ""
    sts_file: str = ""
    role_arn: str = ""
    keys: Keys | None = None

    def check(self) -> None:
        """Refuse what may not stand together."""
        if self.file and (self.sts_file or self.role_arn):
            raise UsageError(
                "only one of 'aws-creds' or 'role-arn' and 'sts-creds' can be provided"
            )
        if self.sts_file and not self.role_arn:
            raise UsageError("'role-arn' is required when 'sts-creds' is provided")


class SessionOf(Protocol):
    """Makes a session of boto3."""

    def __call__(self, login: Login, agent: str, region: str) -> Any:
        """A session; `agent` names the session of an assumed role and our requests."""


def keys_of_file(path: str) -> Keys:
    """The keys in a file as `aws sts get-session-token --output json` writes it."""
    try:
        document = json.loads(Path(path).read_bytes())
        found = document["Credentials"]
        values = [str(found[name]) for name in ("AccessKeyId", "SecretAccessKey", "SessionToken")]
    except OSError as error:
        detail = (error.strerror or "unreadable").lower()
        raise UsageError(f"failed to read sts credentials file: open {path}: {detail}") from None
    except (ValueError, LookupError, TypeError):
        raise UsageError(
            f"failed to unmarshal sts credentials: {path} is not the JSON that "
            "`aws sts get-session-token --output json` writes"
        ) from None
    return Keys(values[0], Secret(values[1]), Secret(values[2]))


def session(login: Login, agent: str, region: str) -> Any:
    """A session of boto3 as the original finds its credentials."""
    login.check()
    if login.file:
        return _of_file(login.file, region)
    given = keys_of_file(login.sts_file) if login.sts_file else login.keys
    if given:
        return _assumed(_of_keys(given, region), login.role_arn, agent, region)
    plain = _of_file(os.environ.get("AWS_SHARED_CREDENTIALS_FILE", ""), region)
    return _assumed(plain, login.role_arn, agent, region) if login.role_arn else plain


def _of_file(path: str, region: str) -> Any:
    """A session whose configuration and credentials are one file, or the SDK's own without one."""
    boto3, botocore_session = _sdk()
    core = botocore_session.Session()
    if path:
        if not Path(path).is_file():
            raise UsageError(f"AWS credentials file {path} is not there")
        core.set_config_variable("config_file", path)
        core.set_config_variable("credentials_file", path)
    return boto3.Session(botocore_session=core, region_name=region or None)


def _of_keys(keys: Keys, region: str) -> Any:
    boto3, _ = _sdk()
    return boto3.Session(
        aws_access_key_id=keys.access_key_id,
        aws_secret_access_key=keys.secret_access_key.reveal(),
        aws_session_token=keys.session_token.reveal(),
        region_name=region or None,
    )


def _assumed(base: Any, role_arn: str, agent: str, region: str) -> Any:
    from botocore.exceptions import BotoCoreError, ClientError  # noqa: PLC0415 - an extra

    try:
        answer = base.client("sts").assume_role(RoleArn=role_arn, RoleSessionName=agent)
    except ClientError as error:
        raise of_response("sts", "AssumeRole", dict(error.response)) from None
    except BotoCoreError as error:
        raise UsageError(f"role {role_arn} could not be assumed: {error}") from None
    found = answer["Credentials"]
    keys = Keys(
        found["AccessKeyId"], Secret(found["SecretAccessKey"]), Secret(found["SessionToken"])
    )
    return _of_keys(keys, region)


def _sdk() -> tuple[Any, Any]:
    try:
        import boto3  # noqa: PLC0415 - an optional extra, and slow to import
        import botocore.session  # noqa: PLC0415
    except ImportError:
        raise UsageError(
            "the SDK of AWS is missing: install the package with its extra, hypershift[aws]"
        ) from None
    return boto3, botocore.session
