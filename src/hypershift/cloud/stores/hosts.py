"""Hosts of clouds' services, made of users' words: each is one label of a name and nothing else.

A region like `evil.example.org/` would lead a request, and the token in it, to another host.
"""

import re

from hypershift.kit import InvalidSpec

_AZURE_BLOB = (
    "blob.core.windows.net",
    "blob.core.chinacloudapi.cn",
    "blob.core.usgovcloudapi.net",
)
_LABEL = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")


def aws(service: str, region: str) -> str:
    """The public host of a service of AWS in a region."""
    suffix = ".cn" if region.startswith("cn-") else ""
    return f"{service}.{label(region, 'region')}.amazonaws.com{suffix}"


def azure_blob(account: str) -> str:
    """The public host of a storage account of Azure."""
    return f"{label(account, 'storage account')}.blob.core.windows.net"


def is_azure_blob(host: str) -> bool:
    """Whether a host and port as a URL has them are those of a storage account of Azure."""
    account, _, domain = host.partition(".")
    return domain in _AZURE_BLOB and _LABEL.fullmatch(account) is not None


def label(text: str, what: str) -> str:
    """Return a word that is one label of a host name; InvalidSpec says what else it is."""
    if not _LABEL.fullmatch(text):
        raise InvalidSpec(f"{what} {text[:80]!r} is not a word of a host name")
    return text
