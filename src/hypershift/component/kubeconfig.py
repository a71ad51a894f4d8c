"""Kubeconfig Secrets: who calls the hosted API server, from where."""

from collections.abc import Callable
from dataclasses import dataclass

from hypershift.api.labels import KUBECONFIG
from hypershift.api.well_known import KUBE_APISERVER, KUBECONFIG_KEY
from hypershift.component import authorities, edit
from hypershift.component.component import Asset, Predicate, always
from hypershift.component.view import View
from hypershift.kit import Manifest
from hypershift.pki import kubeconfig, kubeconfig_text

Url = Callable[[View], str]


def in_cluster(view: View) -> str:
    """From the control plane namespace."""
    return view.api_url


def across_namespaces(view: View) -> str:
    """From anywhere in the management cluster."""
    return f"https://{KUBE_APISERVER}.{view.namespace}.svc:{view.api_service_port}"


def on_localhost(view: View) -> str:
    """From the API server's own pod."""
    return f"https://localhost:{view.api_pod_port}"


def published(view: View) -> str:
    """From outside, where the infrastructure publishes it."""
    return url(view.infra.api_host, view.infra.api_port)


def url(host: str, port: int) -> str:
    """An address as a URL; IPv6 has brackets."""
    return f"https://{f'[{host}]' if ':' in host else host}:{port}"


def usual_key(_view: View) -> str:
    """Where most clients look for it in the Secret."""
    return KUBECONFIG_KEY


@dataclass(frozen=True, slots=True)
class Identity:
    """A client certificate in a Secret of the namespace; `files` mounts it instead of copying."""

    secret: str
    files: str = ""


def asset(
    secret: str,
    identity: Identity,
    where: Url = in_cluster,
    scope: str = "service",
    key: Callable[[View], str] = usual_key,
    *,
    extra_trust: Callable[[View], bytes] | None = None,
    name: Callable[[View], str] | None = None,
    labels: Callable[[View], dict[str, str]] | None = None,
    when: Predicate = always,
) -> Asset:
    """Declare a Secret with a kubeconfig."""

    def adapt(view: View, manifest: Manifest) -> Manifest:
        trust = root_ca(view) + (extra_trust(view) if extra_trust else b"")
        manifest = edit.label(manifest, labels(view)) if labels else manifest
        return edit.set_data(manifest, {key(view): content(view, identity, where, trust)})

    return Asset(stub=stub(secret, scope), adapt=adapt, when=when, name=name)


def content(view: View, identity: Identity, where: Url, trust: bytes) -> bytes:
    """The kubeconfig itself."""
    if identity.files:
        return kubeconfig_text(kubeconfig(where(view), trust, files=identity.files))
    certificate, key = (view.secret(identity.secret, name) for name in ("tls.crt", "tls.key"))
    return kubeconfig_text(kubeconfig(where(view), trust, certificate=certificate, key=key))


def stub(secret: str, scope: str) -> Manifest:
    """The constant part of a kubeconfig's Secret."""
    return {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": secret, "labels": {KUBECONFIG: scope}},
        "type": "Opaque",
    }


def root_ca(view: View) -> bytes:
    """The certificates that sign the API server's."""
    return authorities.root(view)
