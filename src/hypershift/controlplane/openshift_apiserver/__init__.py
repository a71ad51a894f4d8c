"""openshift-apiserver: serves OpenShift's own APIs beside Kubernetes' ones."""

from pathlib import Path
from typing import Any

from hypershift.api.configuration.image import Image
from hypershift.api.domains import ingress_domain
from hypershift.api.values import Capability, EtcdManagementType
from hypershift.component import (
    Asset,
    Component,
    Tier,
    View,
    audit,
    disruption,
    edit,
    etcd_client,
    monitoring,
    observed,
    traits,
)
from hypershift.controlplane.openshift_apiserver.trust import with_trust
from hypershift.kit import Manifest

NAME = "openshift-apiserver"
SCRAPED = monitoring.Scraped(
    "openshiftAPIServer",
    monitoring.kept(
        "apiserver_storage_objects",
        "apiserver_request_total",
        "apiserver_current_inflight_requests",
    ),
)
#: Lists are not streamed here, even if the release enables it.
WATCH_LIST = "WatchList"


def deployment(view: View, manifest: Manifest) -> Manifest:
    if not view.oauth_enabled:
        manifest = edit.add_args(manifest, NAME, ("--internal-oauth-disabled=true",))
    direct = ("kube-apiserver", etcd_client.host(view), "audit-webhook")
    manifest = edit.set_env(manifest, NAME, {"NO_PROXY": ",".join(direct)})
    manifest = audit.with_auditing(view, manifest, NAME, "oas-audit-webhook")
    return with_trust(view, manifest)


def gates(view: View) -> list[str]:
    told = {name: on for name, on in view.feature_gates.items() if name != WATCH_LIST}
    return [f"{name}={str(on).lower()}" for name, on in (*told.items(), (WATCH_LIST, False))]


def images(view: View) -> dict[str, Any]:
    """Which registries images may be imported from, and the cluster's own."""
    said = view.configuration.image or Image()
    allowed = [
        {"domainName": each.domain_name, "insecure": bool(each.insecure)}
        for each in said.allowed_registries_for_import
    ]
    overlay: dict[str, Any] = {
        "externalRegistryHostnames": list(said.external_registry_hostnames),
        "allowedRegistriesForImport": allowed,
    }
    found = {name: value for name, value in overlay.items() if value}
    if not view.has_capability(Capability.IMAGE_REGISTRY):
        found["internalRegistryHostname"] = ""
    return found


def projects(view: View) -> dict[str, str]:
    """What users see who ask for a project, as the guest's administrators configure it."""
    said = observed.spec(view, "project")
    template = said.get("projectRequestTemplate")
    name = template.get("name") if isinstance(template, dict) else ""
    found = {
        "projectRequestMessage": str(said.get("projectRequestMessage") or ""),
        "projectRequestTemplate": f"openshift-config/{name}" if name else "",
    }
    return {key: value for key, value in found.items() if value}


def config(view: View, manifest: Manifest) -> Manifest:
    arguments = {name: [value] for name, value in audit.webhook_options(view)}
    overlay: dict[str, Any] = {
        "apiServerArguments": {**arguments, "feature-gates": gates(view)},
        "imagePolicyConfig": images(view),
        "projectConfig": projects(view),
        "routingConfig": {"subdomain": ingress_domain(view.spec, view.name)},
        "servingInfo": view.tls.serving_info,
    }
    if view.spec.etcd.management_type == EtcdManagementType.UNMANAGED:
        overlay["storageConfig"] = {"urls": [etcd_client.url(view)]}
    return edit.merge_yaml(manifest, "config.yaml", overlay)


OPENSHIFT = Component(
    name=NAME,
    assets=Path(__file__).parent / "assets",
    workload=Asset("deployment.yaml", adapt=deployment),
    manifests=(
        Asset("audit.yaml", adapt=audit.audit_config),
        Asset("config.yaml", adapt=config),
        disruption.asset(NAME),
        Asset("servicemonitor.yaml", adapt=monitoring.scraping(SCRAPED)),
    ),
    traits=(traits.ReadyWithApiServer(), traits.HttpsProxy()),
    after_hash=(traits.AwaitApiServer(),),
    tier=Tier.API_CRITICAL,
    multi_zone_spread=True,
)
