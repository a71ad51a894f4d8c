"""Credentials for S3: from a file of the user, or lent to a role by its token."""

import configparser
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

from hypershift.cloud.stores import hosts
from hypershift.cloud.stores.http import Call, StoreFailed, send
from hypershift.kit import Secret

BACKUP = "hypershift-etcd-backup"
NAMESPACE = "{https://sts.amazonaws.com/doc/2011-06-15/}"


@dataclass(frozen=True, slots=True)
class Keys:
    """An access key; `token` belongs to keys that are lent for a time."""

    access: str
    secret: Secret[str]
    token: Secret[str] | None = None


def keys_from_file(path: Path, profile: str = "default") -> Keys:
    """The keys of a profile in a credentials file."""
    return keys_from_text(path.read_text(errors="replace"), path.name, profile)


def keys_from_text(text: str, name: str, profile: str = "default") -> Keys:
    """The keys of a profile in the text of a credentials file; `name` says whose it is."""
    parser = configparser.ConfigParser(interpolation=None)
    try:
        parser.read_string(text)
        found = parser[profile]
        token = found.get("aws_session_token", "")
        return Keys(
            found["aws_access_key_id"],
            Secret(found["aws_secret_access_key"]),
            Secret(token) if token else None,
        )
    except (configparser.Error, KeyError):
        # The parser's own words repeat lines of the file.
        why = f"{name} has no profile {profile} with an access key and its secret"
        raise StoreFailed(why) from None


def keys_of_profile(path: Path, region: str, session: str, endpoint: str = "") -> Keys:
    """The keys of a credentials file, or those lent to the role that it names with a token file."""
    parser = configparser.ConfigParser(interpolation=None)
    try:
        parser.read_string(path.read_text())
        found = dict(parser["default"]) if "default" in parser else {}
    except (configparser.Error, UnicodeDecodeError):
        found = {}
    role, token = found.get("role_arn"), found.get("web_identity_token_file")
    if role and token:
        return lend(role, Secret(Path(token).read_text().strip()), region, session, endpoint)
    return keys_from_file(path)


def endpoint_from_file(path: Path, profile: str = "default") -> str:
    """The address of a store of the user's own, where a profile names one; else nothing."""
    return endpoint_from_text(path.read_text(errors="replace"), profile)


def endpoint_from_text(text: str, profile: str = "default") -> str:
    """The same of the text of a credentials file."""
    parser = configparser.ConfigParser(interpolation=None)
    try:
        parser.read_string(text)
        return parser[profile].get("endpoint_url", "")
    except (configparser.Error, KeyError):
        return ""


def keys_from_role(role: str, token_file: Path, region: str, endpoint: str = "") -> Keys:
    """Keys lent to a role for a backup, for a token in a file that says who we are."""
    return lend(role, Secret(token_file.read_text().strip()), region, BACKUP, endpoint)


def lend(role: str, token: Secret[str], region: str, session: str, endpoint: str = "") -> Keys:
    """Keys lent to a role, for a token that says who we are; `session` names us in AWS' logs."""
    url = endpoint or f"https://{hosts.aws('sts', region)}"
    fields = {
        "Action": "AssumeRoleWithWebIdentity",
        "Version": "2011-06-15",
        "RoleArn": role,
        "RoleSessionName": session,
        "WebIdentityToken": token.reveal(),
    }
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    answer = send(lambda: Call("POST", f"{url}/", headers, urlencode(fields).encode()))
    try:
        lent = ET.fromstring(answer.body).find(f".//{NAMESPACE}Credentials")  # noqa: S314 - bounded, and from the token service
    except ET.ParseError:
        lent = None
    if lent is None:
        raise StoreFailed("the token service lends no keys")
    values = {each.tag.removeprefix(NAMESPACE): each.text or "" for each in lent}
    return Keys(
        values["AccessKeyId"], Secret(values["SecretAccessKey"]), Secret(values["SessionToken"])
    )
