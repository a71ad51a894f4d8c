"""Where an API server is and who we are to it: kubeconfigs and a pod's own account."""

import base64
import binascii
import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import yaml

from hypershift.kit import Secret, rfc3339
from hypershift.kit.documents import loaded
from hypershift.kube.errors import KubeconfigError
from hypershift.kube.expiry import not_after

SERVICE_ACCOUNT = Path("/var/run/secrets/kubernetes.io/serviceaccount")


@dataclass(frozen=True, slots=True)
class Impersonation:
    """The user to impersonate."""

    user: str
    groups: tuple[str, ...] = ()
    uid: str = ""
    extra: tuple[tuple[str, str], ...] = ()

    def headers(self) -> list[tuple[str, str]]:
        """The headers that ask the server for it."""
        headers = [("Impersonate-User", self.user)]
        headers += [("Impersonate-Group", group) for group in self.groups]
        headers += [("Impersonate-Uid", self.uid)] if self.uid else []
        return headers + [(f"Impersonate-Extra-{name}", value) for name, value in self.extra]


@dataclass(frozen=True, slots=True)
class Config:
    """One API server and one identity."""

    server: str
    ca: bytes = b""
    client_cert: bytes = b""
    client_key: Secret[bytes] | None = None
    client_files: tuple[Path, Path] | None = None
    """Where certificate and key come from, when somebody may replace them there."""
    token: Secret[str] | None = None
    token_file: Path | None = None
    tls_server_name: str = ""
    proxy_url: str = ""
    insecure: bool = False
    impersonate: Impersonation | None = None
    namespace: str = "default"
    source: str = "configuration"


def load(path: Path | None = None, *, context: str = "", now: datetime | None = None) -> Config:
    """Read a kubeconfig: the given one, else $KUBECONFIG, else the pod's own account."""
    chosen = path or (Path(os.environ["KUBECONFIG"]) if os.environ.get("KUBECONFIG") else None)
    if chosen is None:
        return in_cluster()
    try:
        document = loaded(chosen.read_text())
    except OSError as error:
        raise KubeconfigError(f"kubeconfig {chosen}: {error.strerror}") from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise KubeconfigError(f"kubeconfig {chosen} is not YAML") from error
    return from_dict(document, context=context, folder=chosen.parent, source=str(chosen), now=now)


def in_cluster(account: Path = SERVICE_ACCOUNT, environ: Mapping[str, str] = os.environ) -> Config:
    """The API server of the cluster that this pod runs in, as its ServiceAccount."""
    host, port = environ.get("KUBERNETES_SERVICE_HOST"), environ.get("KUBERNETES_SERVICE_PORT")
    if not host or not (account / "token").exists():
        raise KubeconfigError(
            "no kubeconfig given, $KUBECONFIG is not set, and this is not a pod of a cluster"
        )
    return Config(
        server=f"https://{f'[{host}]' if ':' in host else host}:{port or 443}",
        ca=(account / "ca.crt").read_bytes(),
        token_file=account / "token",
        namespace=(account / "namespace").read_text().strip() or "default",
        source="the pod's service account",
    )


def from_dict(
    document: Any,
    *,
    context: str = "",
    folder: Path | None = None,
    source: str = "kubeconfig",
    now: datetime | None = None,
) -> Config:
    """Choose a context of a kubeconfig and read its cluster and user."""
    if not isinstance(document, dict):
        raise KubeconfigError(f"{source} is not a kubeconfig: a map is expected")
    name = context or document.get("current-context") or ""
    if not name:
        raise KubeconfigError(f"{source} has no current-context and none was chosen")
    reader = _Reader(document, source, folder or Path())
    chosen = reader.entry("contexts", "context", name)
    cluster = reader.entry("clusters", "cluster", str(chosen.get("cluster", "")))
    user = reader.entry("users", "user", str(chosen["user"])) if chosen.get("user") else {}
    config = reader.config(cluster, user, str(chosen.get("namespace") or "default"))
    _refuse_expired(config, now or datetime.now(UTC))
    return config


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads one kubeconfig, saying which document and field is wrong when one is."""

    document: dict[str, Any]
    source: str
    folder: Path

    def entry(self, section: str, field: str, name: str) -> dict[str, Any]:
        for item in self.document.get(section) or ():
            if isinstance(item, dict) and item.get("name") == name:
                value = item.get(field) or {}
                if isinstance(value, dict):
                    return value
        raise KubeconfigError(f"{self.source}: {section} has no entry named {name!r}")

    def config(self, cluster: dict[str, Any], user: dict[str, Any], namespace: str) -> Config:
        server = str(cluster.get("server") or "")
        if not server.startswith(("https://", "http://")):
            raise KubeconfigError(f"{self.source}: server {server!r} is not a http(s) address")
        for method in ("exec", "auth-provider", "username"):
            if user.get(method):
                raise KubeconfigError(f"{self.source}: user's {method!r} is not supported")
        key = self.bytes(user, "client-key")
        cert = self.bytes(user, "client-certificate")
        if bool(key) != bool(cert):
            raise KubeconfigError(f"{self.source}: client certificate and key need each other")
        token_file = user.get("tokenFile")
        return Config(
            server=server.rstrip("/"),
            ca=self.bytes(cluster, "certificate-authority"),
            client_cert=cert,
            client_key=Secret(key) if key else None,
            client_files=self.files(user),
            token=Secret(str(user["token"])) if user.get("token") else None,
            token_file=self.folder / str(token_file) if token_file else None,
            tls_server_name=str(cluster.get("tls-server-name") or ""),
            proxy_url=self.proxy(str(cluster.get("proxy-url") or "")),
            insecure=bool(cluster.get("insecure-skip-tls-verify")),
            impersonate=_impersonation(user),
            namespace=namespace,
            source=self.source,
        )

    def files(self, user: dict[str, Any]) -> tuple[Path, Path] | None:
        """The files of a client certificate that is not inline."""
        if user.get("client-certificate-data") or not user.get("client-certificate"):
            return None
        if user.get("client-key-data") or not user.get("client-key"):
            return None
        return (
            self.folder / str(user["client-certificate"]),
            self.folder / str(user["client-key"]),
        )

    def proxy(self, url: str) -> str:
        if url and not url.startswith(("http://", "https://")):
            raise KubeconfigError(f"{self.source}: proxy-url {url!r} is not a http(s) proxy")
        return url

    def bytes(self, section: dict[str, Any], field: str) -> bytes:
        """The content of `<field>-data`, or of the file that `<field>` names."""
        if data := section.get(f"{field}-data"):
            try:
                return base64.b64decode(data, validate=True)
            except (binascii.Error, ValueError, TypeError) as error:
                raise KubeconfigError(f"{self.source}: {field}-data is not base64") from error
        if not (name := section.get(field)):
            return b""
        try:
            return (self.folder / str(name)).read_bytes()
        except OSError as error:
            reason = f"{field} {name}: {error.strerror}"
            raise KubeconfigError(f"{self.source}: {reason}") from error


def _impersonation(user: dict[str, Any]) -> Impersonation | None:
    if not (name := user.get("as")):
        return None
    extra = user.get("as-user-extra") or {}
    return Impersonation(
        user=str(name),
        groups=tuple(user.get("as-groups") or ()),
        uid=str(user.get("as-uid") or ""),
        extra=tuple((key, value) for key, values in extra.items() for value in values),
    )


def _refuse_expired(config: Config, now: datetime) -> None:
    if not config.client_cert:
        return
    try:
        end = not_after(config.client_cert)
    except ValueError as error:
        raise KubeconfigError(f"{config.source}: the client certificate is not PEM") from error
    if end <= now:
        moment = rfc3339(end)
        raise KubeconfigError(f"{config.source}: the client certificate expired at {moment}")
