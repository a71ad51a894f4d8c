"""Kubeconfigs out of Secrets: tenants may have written them, so they may hold values only.

A kubeconfig can name files, run programs and send our own credentials to any address. One that a
user may edit gets none of this: server, authority and an inline certificate or token are read,
and everything else is refused by name.
"""

import base64
import binascii
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final
from urllib.parse import urlsplit

from hypershift.kit import InvalidSpec, Manifest
from hypershift.kit.budget import KIBIBYTE, Budget, refusing
from hypershift.kit.documents import read
from hypershift.kube.config import Config, from_dict
from hypershift.kube.errors import KubeconfigError

#: Two certificates, a key and an authority of many certificates have room in it.
BUDGET: Final = Budget(size=512 * KIBIBYTE, nodes=1000, depth=10)

_TOP: Final = frozenset(
    {"apiVersion", "kind", "clusters", "contexts", "users", "current-context", "preferences"}
)
_SECTIONS: Final = {"clusters": "cluster", "contexts": "context", "users": "user"}
_CONTEXT: Final = frozenset({"cluster", "user", "namespace"})
_CLUSTER: Final = frozenset(
    {"server", "certificate-authority-data", "tls-server-name", "disable-compression"}
)
_USER: Final = frozenset({"client-certificate-data", "client-key-data", "token"})
#: Options that a user may set for a receiver of their own: they can harm nobody else.
_RECEIVER_CLUSTER: Final = frozenset({"insecure-skip-tls-verify"})
_RECEIVER_USER: Final = frozenset({"username", "password"})

_BEGIN: Final = b"-----BEGIN "
_HOST: Final = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._:-]{0,251}[A-Za-z0-9])?")
_TOKEN: Final = re.compile(r"[\x21-\x7e]{1,65536}")


def inline(
    kubeconfig: bytes | str | Manifest,
    *,
    source: str = "kubeconfig",
    now: datetime | None = None,
) -> Config:
    """The server and identity of a kubeconfig; KubeconfigError if it holds more than values."""
    document = _document(kubeconfig, source)
    _Checker(source).check(document)
    return from_dict(document, source=source, now=now)


def checked(content: bytes, *, source: str) -> Manifest:
    """A kubeconfig as it is written, once it is known to hold values only."""
    document = _document(content, source)
    _Checker(source).check(document)
    return document


def check_receiver(kubeconfig: bytes, *, source: str) -> None:
    """Refuse a kubeconfig of a user's webhook that reads files or runs programs in our pods.

    Where it sends to, and how safely, is the user's own business.
    """
    document = _document(kubeconfig, source)
    checker = _Checker(source, _CLUSTER | _RECEIVER_CLUSTER, _USER | _RECEIVER_USER, receiver=True)
    checker.check(document)


def rebuilt(config: Config, *, name: str = "cluster") -> bytes:
    """A kubeconfig for other programs with nothing in it but what `inline` has read."""
    cluster: dict[str, Any] = {"server": config.server}
    if config.ca:
        cluster["certificate-authority-data"] = _text(config.ca)
    if config.tls_server_name:
        cluster["tls-server-name"] = config.tls_server_name
    user: dict[str, Any] = {}
    if config.client_key:
        user["client-certificate-data"] = _text(config.client_cert)
        user["client-key-data"] = _text(config.client_key.reveal())
    if config.token:
        user["token"] = config.token.reveal()
    context = {"cluster": name, "user": "admin", "namespace": config.namespace}
    document = {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": name, "cluster": cluster}],
        "contexts": [{"name": name, "context": context}],
        "users": [{"name": "admin", "user": user}],
        "current-context": name,
    }
    return json.dumps(document).encode()


def at(kubeconfig: bytes, server: str, *, source: str = "kubeconfig") -> bytes:
    """The same identity and authority at another address."""
    return rebuilt(replace(inline(kubeconfig, source=source), server=server))


def _text(content: bytes) -> str:
    return base64.b64encode(content).decode()


def _document(kubeconfig: bytes | str | Manifest, source: str) -> Manifest:
    if isinstance(kubeconfig, dict):
        return kubeconfig
    try:
        document = read(kubeconfig, BUDGET)
    except InvalidSpec as error:
        raise KubeconfigError(f"{source}: {error}") from None
    if not isinstance(document, dict):
        raise KubeconfigError(f"{source} is not a kubeconfig: a map is expected")
    return document


@dataclass(frozen=True, slots=True)
class _Checker:
    """Checks every entry of a kubeconfig, not only those that the current context names."""

    source: str
    cluster_fields: frozenset[str] = _CLUSTER
    user_fields: frozenset[str] = _USER
    receiver: bool = False

    def check(self, document: Manifest) -> None:
        try:
            with refusing("it"):
                self._check(document)
        except InvalidSpec as error:
            raise KubeconfigError(f"{self.source}: {error}") from None

    def _check(self, document: Manifest) -> None:
        self._fields(document, _TOP, "")
        for section, field in _SECTIONS.items():
            allowed = {
                "clusters": self.cluster_fields,
                "contexts": _CONTEXT,
                "users": self.user_fields,
            }
            for value in self._entries(document, section, field):
                self._fields(value, allowed[section], f"{section}[].{field}.")
                if section == "clusters":
                    self._cluster(value)
                elif section == "users":
                    self._user(value)

    def _entries(self, document: Manifest, section: str, field: str) -> Iterator[Manifest]:
        seen: set[str] = set()
        for entry in document.get(section) or ():
            if not isinstance(entry, dict):
                raise InvalidSpec(f"{section} has an entry that is no map")
            self._fields(entry, frozenset({"name", field}), f"{section}[].")
            name = entry.get("name")
            if not isinstance(name, str) or name in seen:
                raise InvalidSpec(f"each entry of {section} needs a name of its own")
            seen.add(name)
            value = entry.get(field) or {}
            if not isinstance(value, dict):
                raise InvalidSpec(f"{section}[].{field} is no map")
            yield value

    def _fields(self, value: Manifest, allowed: frozenset[str], place: str) -> None:
        for name, content in value.items():
            if name in allowed:
                continue
            if content or name not in _KNOWN:
                raise InvalidSpec(
                    f"{place}{str(name)[:64]} is not allowed here: a kubeconfig in a Secret may "
                    "hold a server, certificates, a key or a token, and they have to be inline"
                )

    def _cluster(self, cluster: Manifest) -> None:
        server = cluster.get("server") or ""
        address = urlsplit(server)  # refuses brackets that do not match
        wanted = ("https", "http") if self.receiver else ("https",)
        if address.scheme not in wanted or not _HOST.fullmatch(address.hostname or ""):
            raise InvalidSpec("clusters[].cluster.server is not a https address")
        _ = address.port  # refuses what is no port
        if (
            "@" in address.netloc
            or address.fragment
            or re.search(r"[\x00-\x20\x7f\\]", server)
            or (address.query and not self.receiver)
        ):
            raise InvalidSpec("clusters[].cluster.server is more than an address")
        name = cluster.get("tls-server-name") or ""
        if name and not _HOST.fullmatch(name):
            raise InvalidSpec("clusters[].cluster.tls-server-name is not a host name")
        self._pem(cluster, "certificate-authority-data")

    def _user(self, user: Manifest) -> None:
        for field in ("client-certificate-data", "client-key-data"):
            self._pem(user, field)
        token = user.get("token") or ""
        if token and not _TOKEN.fullmatch(token):
            raise InvalidSpec("users[].user.token is not a token")

    def _pem(self, section: Manifest, field: str) -> None:
        if not (data := section.get(field)):
            return
        try:
            content = base64.b64decode(data, validate=True)
        except (binascii.Error, ValueError, TypeError):
            raise InvalidSpec(f"{field} is not base64") from None
        if _BEGIN not in content:
            raise InvalidSpec(f"{field} is not PEM")


#: Fields that mean nothing while they are empty.
_KNOWN: Final = frozenset(
    {
        "as",
        "as-groups",
        "as-uid",
        "as-user-extra",
        "auth-provider",
        "certificate-authority",
        "client-certificate",
        "client-key",
        "exec",
        "extensions",
        "insecure-skip-tls-verify",
        "password",
        "proxy-url",
        "tokenFile",
        "username",
    }
)
