"""openshift-oauth-apiserver: keeps OpenShift's users, identities and tokens."""

from collections.abc import Iterator
from pathlib import Path

from hypershift.api.configuration.oauth import OAuth, TokenConfig
from hypershift.component import (
    Asset,
    Component,
    Tier,
    View,
    audit,
    disruption,
    edit,
    etcd_client,
    traits,
)
from hypershift.kit import Manifest

NAME = "openshift-oauth-apiserver"


def flags(view: View) -> Iterator[str]:
    """Yield the flags that follow the cluster."""
    yield f"--api-audiences={view.spec.issuer_url or ''}"
    yield f"--etcd-servers={etcd_client.url(view)}"
    yield from view.tls.flags
    yield from (f"--{name}={value}" for name, value in audit.webhook_options(view))
    tokens = (view.configuration.oauth or OAuth()).token_config or TokenConfig()
    if tokens.access_token_inactivity_timeout:
        yield f"--accesstoken-inactivity-timeout={tokens.access_token_inactivity_timeout}"


def deployment(view: View, manifest: Manifest) -> Manifest:
    manifest = edit.add_args(manifest, NAME, flags(view))
    direct = ("kube-apiserver", etcd_client.host(view), "audit-webhook")
    manifest = edit.set_env(manifest, NAME, {"NO_PROXY": ",".join(direct)})
    if etcd_client.external(view):
        manifest = edit.drop_containers(manifest, "wait-for-etcd")
    return audit.with_auditing(view, manifest, NAME, "oauth-audit-webhook")


OPENSHIFT = Component(
    name=NAME,
    assets=Path(__file__).parent / "assets",
    workload=Asset("deployment.yaml", adapt=deployment),
    manifests=(Asset("audit.yaml", adapt=audit.audit_config), disruption.asset(NAME)),
    when=lambda view: view.oauth_enabled,
    depends_on=("openshift-apiserver",),
    traits=(traits.ReadyWithApiServer(), traits.Socks5Proxy(guest_dns=True)),
    after_hash=(traits.AwaitApiServer(),),
    tier=Tier.API_CRITICAL,
    multi_zone_spread=True,
)
