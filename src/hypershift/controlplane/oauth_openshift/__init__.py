"""oauth-openshift: where OpenShift's users log in."""

from collections.abc import Iterator
from pathlib import Path

from hypershift.api import annotations
from hypershift.api.configuration.oauth import OAuth, OAuthTemplates
from hypershift.api.meta import NameReference
from hypershift.api.well_known import KUBEADMIN_PASSWORD
from hypershift.component import Asset, Component, Tier, View, audit, disruption, edit, traits
from hypershift.controlplane.oauth_openshift.config import config, service_name
from hypershift.controlplane.oauth_openshift.pages import page
from hypershift.controlplane.oauth_openshift.providers import files, problems
from hypershift.controlplane.oauth_openshift.session import session
from hypershift.kit import Manifest

NAME = "oauth-openshift"
PROXY_PORT = 8092


def flags(view: View) -> Iterator[str]:
    """Yield the flags that follow the cluster."""
    yield from (f"--{name}={value}" for name, value in audit.webhook_options(view))


def deployment(view: View, manifest: Manifest) -> Manifest:
    manifest = edit.add_args(manifest, NAME, flags(view))
    direct = ("kube-apiserver", "audit-webhook", service_name(view), *view.cloud.identity_services)
    manifest = edit.set_env(manifest, NAME, {"NO_PROXY": ",".join(direct)})
    manifest = audit.with_auditing(view, manifest, NAME, "oauth-audit-webhook")
    manifest = with_providers(view, with_pages(view, with_certificates(view, manifest)))
    return with_password_hash(view, manifest)


def with_providers(view: View, manifest: Manifest) -> Manifest:
    """Mount what identity providers refer to."""
    for each in files(view):
        manifest = edit.add_volumes(manifest, *each.volumes)
        manifest = edit.mount(manifest, NAME, each.mounts)
    return manifest


def with_certificates(view: View, manifest: Manifest) -> Manifest:
    """Mount the certificates that the user wants to be seen."""
    serving = view.api_server.serving_certs
    for number, each in enumerate(serving.named_certificates if serving else (), 1):
        volume = edit.secret_volume(f"named-cert-{number}", _name(each.serving_certificate))
        path = f"/etc/kubernetes/certs/named-{number}"
        manifest = edit.add_volumes(manifest, volume)
        manifest = edit.mount(manifest, NAME, {volume["name"]: path})
    return manifest


def _name(reference: NameReference | None) -> str:
    return reference.name if reference else ""


def with_pages(view: View, manifest: Manifest) -> Manifest:
    """Show the user's own pages."""
    said = (view.configuration.oauth or OAuth()).templates or OAuthTemplates()
    own: dict[str, NameReference | None] = {
        "error-template": said.error,
        "login-template": said.login,
        "providers-template": said.provider_selection,
    }
    chosen = {name: _name(page) for name, page in own.items() if _name(page)}

    def replaced(volume: Manifest) -> Manifest:
        name = chosen.get(volume["name"])
        return edit.put(volume, ("secret", "secretName"), name) if name else volume

    path = (*edit.pod_path(manifest), "spec", "volumes")
    return edit.at(manifest, path, lambda found: [replaced(volume) for volume in found])


def with_password_hash(view: View, manifest: Manifest) -> Manifest:
    """Roll the pods when the initial administrator's password changes."""
    secret = view.find("Secret", KUBEADMIN_PASSWORD)
    if secret is None:
        return manifest
    found = (secret["metadata"].get("annotations") or {}).get(annotations.KUBEADMIN_SECRET_HASH, "")
    return edit.change_pod(
        manifest, lambda pod: edit.annotate(pod, {annotations.KUBEADMIN_SECRET_HASH: found})
    )


def audit_config(view: View, manifest: Manifest) -> Manifest:
    return edit.set_data(manifest, {"profile": audit.profile(view)})


OPENSHIFT = Component(
    name=NAME,
    assets=Path(__file__).parent / "assets",
    workload=Asset("deployment.yaml", adapt=deployment),
    manifests=(
        Asset("audit.yaml", adapt=audit_config),
        Asset("config.yaml", adapt=config),
        page("error", "errors.html"),
        page("login", "login.html"),
        page("provider-selection", "providers.html"),
        disruption.asset(NAME),
        Asset("session.yaml", adapt=session, keeps_existing=True),
    ),
    when=lambda view: view.oauth_enabled,
    depends_on=("openshift-apiserver",),
    traits=(
        traits.HttpsProxy(serving_port=PROXY_PORT, direct_to_cloud=True),
        traits.Socks5Proxy(guest_dns=True, management_dns=True),
    ),
    after_hash=(traits.AwaitApiServer(),),
    tier=Tier.API_CRITICAL,
    multi_zone_spread=True,
    request_serving=True,
)

__all__ = ["OPENSHIFT", "problems"]
