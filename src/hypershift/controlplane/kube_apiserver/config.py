"""The configuration file of OpenShift's API server: one JSON document, flags included."""

from collections.abc import Iterator
from typing import Any

from hypershift.api.configuration.image import Image
from hypershift.api.configuration.network import ExternalIP, ExternalIPPolicy
from hypershift.api.domains import base_domain
from hypershift.api.values import Capability, EtcdManagementType
from hypershift.component import View, audit, edit
from hypershift.controlplane.kube_apiserver import limits
from hypershift.controlplane.kube_apiserver.common import (
    NAME,
    etcd_overrides,
    named_certificates,
)
from hypershift.controlplane.kube_apiserver.oauth import announces_oauth
from hypershift.kit import Manifest

FILE = "config.json"
REGISTRY = "image-registry.openshift-image-registry.svc:5000"
LOCAL_ORIGINS = (r"//127\.0\.0\.1(:|$)", r"//localhost(:|$)")
FORCED_GATES = {"ValidatingAdmissionPolicy": True, "StructuredAuthenticationConfiguration": True}

#: APIs that exist behind a gate.
GATED_APIS = {
    "ValidatingAdmissionPolicy": "admissionregistration.k8s.io/v1beta1=true",
    "DynamicResourceAllocation": "resource.k8s.io/v1beta1=true",
    "VolumeAttributesClass": "storage.k8s.io/v1beta1=true",
}

_KUBERNETES_PLUGINS = (
    "CertificateApproval",
    "CertificateSigning",
    "CertificateSubjectRestriction",
    "DefaultIngressClass",
    "DefaultStorageClass",
    "DefaultTolerationSeconds",
    "LimitRanger",
    "MutatingAdmissionWebhook",
    "NamespaceLifecycle",
    "NodeRestriction",
    "OwnerReferencesPermissionEnforcement",
    "PersistentVolumeClaimResize",
    "PodNodeSelector",
    "PodTolerationRestriction",
    "Priority",
    "ResourceQuota",
    "RuntimeClass",
    "ServiceAccount",
    "StorageObjectInUseProtection",
    "TaintNodesByCondition",
    "ValidatingAdmissionPolicy",
    "ValidatingAdmissionWebhook",
)
_CONFIG_PLUGINS = (
    "DenyDeleteClusterConfiguration",
    "ValidateAPIServer",
    "ValidateAuthentication",
    "ValidateConsole",
    "ValidateFeatureGate",
    "ValidateImage",
    "ValidateOAuth",
    "ValidateProject",
    "ValidateScheduler",
)
_OPENSHIFT_PLUGINS = (
    "image.openshift.io/ImagePolicy",
    "network.openshift.io/ExternalIPRanger",
    "network.openshift.io/RestrictedEndpointsAdmission",
    "quota.openshift.io/ClusterResourceQuota",
    "quota.openshift.io/ValidateClusterResourceQuota",
    "route.openshift.io/IngressAdmission",
    "scheduling.openshift.io/OriginPodNodeEnvironment",
    "security.openshift.io/DefaultSecurityContextConstraints",
    "security.openshift.io/SCCExecRestrictions",
    "security.openshift.io/SecurityContextConstraint",
    "security.openshift.io/ValidateSecurityContextConstraints",
    "storage.openshift.io/CSIInlineVolumeSecurity",
)
#: They ask OpenShift's own users and groups, which exist only with its OAuth server.
_USER_PLUGINS = (
    "authorization.openshift.io/RestrictSubjectBindings",
    "authorization.openshift.io/ValidateRoleBindingRestriction",
)


def kas_config(view: View, manifest: Manifest) -> Manifest:
    return edit.merge_json(manifest, FILE, document(view))


def document(view: View) -> dict[str, Any]:
    """What follows the cluster in the document."""
    subnet = ",".join(view.service_cidrs)
    return {
        "servingInfo": serving(view),
        "corsAllowedOrigins": [*LOCAL_ORIGINS, *_more_origins(view)],
        "admission": {"pluginConfig": admission(view)},
        "authConfig": _auth(view),
        "servicesSubnet": subnet,
        "consolePublicURL": _console(view),
        "imagePolicyConfig": images(view),
        "projectConfig": {"defaultNodeSelector": view.scheduler.default_node_selector or ""},
        "apiServerArguments": dict(arguments(view)),
    }


def images(view: View) -> dict[str, Any]:
    """Where the cluster's images are; without a registry of its own, only elsewhere."""
    elsewhere = (view.configuration.image or Image()).external_registry_hostnames
    disabled = view.spec.capabilities.disabled if view.spec.capabilities else ()
    own = {} if Capability.IMAGE_REGISTRY in disabled else {"internalRegistryHostname": REGISTRY}
    return {"externalRegistryHostnames": list(elsewhere), **own}


def serving(view: View) -> dict[str, Any]:
    """TLS: the profile, the user's certificates by name, then ours for the Service's names."""
    named = [
        {
            "names": list(item.names),
            "certFile": f"/etc/kubernetes/certs/named-{index}/tls.crt",
            "keyFile": f"/etc/kubernetes/certs/named-{index}/tls.key",
        }
        for index, item in enumerate(named_certificates(view), start=1)
    ]
    private = "/etc/kubernetes/certs/server-private"
    own = {"certFile": f"{private}/tls.crt", "keyFile": f"{private}/tls.key"}
    return {
        "bindAddress": f"0.0.0.0:{view.api_pod_port}",
        "namedCertificates": [*named, own],
        "minTLSVersion": view.tls.minimum,
        "cipherSuites": list(view.tls.suites),
    }


def admission(view: View) -> dict[str, Any]:
    """The plugins' own configurations."""
    external = view.network.external_ip or ExternalIP()
    policy = external.policy or ExternalIPPolicy()
    ranges = [*(f"!{cidr}" for cidr in policy.rejected_cidrs), *policy.allowed_cidrs]
    enforced = view.feature_gates.get("OpenShiftPodSecurityAdmission", False)
    level = "restricted" if enforced else "privileged"
    return {
        "PodSecurity": {"configuration": {"defaults": {"enforce": level}}},
        "network.openshift.io/ExternalIPRanger": {
            "configuration": {
                "allowIngressIP": bool(external.auto_assign_cidrs),
                "externalIPNetworkCIDRs": ranges,
            }
        },
        "network.openshift.io/RestrictedEndpointsAdmission": {
            "configuration": {"restrictedCIDRs": [*view.cluster_cidrs, *view.service_cidrs]}
        },
    }


def arguments(view: View) -> Iterator[tuple[str, list[str]]]:
    """Yield the flags that follow the cluster, by name."""
    gates = view.feature_gates | FORCED_GATES
    yield "advertise-address", [view.advertise_address]
    yield "api-audiences", [view.issuer_url]
    yield from ((name, [value]) for name, value in audit.rotation(view).items())
    yield from _plugins(view)
    yield from _authentication(view)
    yield "etcd-servers", [etcd_servers(view)]
    if elsewhere := etcd_overrides(view):
        yield "etcd-servers-overrides", elsewhere
    yield "feature-gates", sorted(f"{name}={str(on).lower()}" for name, on in gates.items())
    yield "goaway-chance", [limits.goaway(view)]
    yield "max-mutating-requests-inflight", [limits.mutating_requests(view)]
    yield "max-requests-inflight", [limits.requests(view)]
    yield "runtime-config", [api for gate, api in GATED_APIS.items() if gates.get(gate)]
    yield "service-account-issuer", [view.issuer_url]
    yield "service-account-jwks-uri", [f"{view.issuer_url}/openid/v1/jwks"]
    if expiration := limits.token_expiration(view):
        yield "service-account-max-token-expiration", [expiration]
    yield "service-node-port-range", [limits.node_ports(view)]
    yield "strict-transport-security-directives", [_strict_transport(view)]
    if view.profiling_disabled(NAME):
        yield "profiling", ["false"]
    yield from ((name, [value]) for name, value in audit.webhook_options(view))


def etcd_servers(view: View) -> str:
    etcd = view.spec.etcd
    match etcd.management_type:
        case EtcdManagementType.UNMANAGED:
            return etcd.unmanaged.endpoint if etcd.unmanaged else ""
        case EtcdManagementType.MANAGED:
            return f"https://etcd-client.{view.namespace}.svc:2379"
        case _:
            return "https://etcd-client:2379"


def _console(view: View) -> str:
    return f"https://console-openshift-console.{base_domain(view.spec, view.name)}"


def _plugins(view: View) -> Iterator[tuple[str, list[str]]]:
    constant = (
        *_KUBERNETES_PLUGINS,
        *(f"config.openshift.io/{name}" for name in _CONFIG_PLUGINS),
        *_OPENSHIFT_PLUGINS,
    )
    oauth = view.oauth_enabled
    yield "enable-admission-plugins", [*constant, *(_USER_PLUGINS if oauth else ())]
    yield "disable-admission-plugins", [] if oauth else list(_USER_PLUGINS)


def _authentication(view: View) -> Iterator[tuple[str, list[str]]]:
    if view.oauth_enabled:
        file = "/etc/kubernetes/auth-token-webhook/kubeconfig"
        yield "authentication-token-webhook-config-file", [file]
        yield "authentication-token-webhook-version", ["v1"]
    elif view.authentication.oidc_providers:
        yield "authentication-config", ["/etc/kubernetes/auth/auth.json"]


def _auth(view: View) -> dict[str, str]:
    if not announces_oauth(view):
        return {}
    return {"oauthMetadataFile": "/etc/kubernetes/oauth/oauthMetadata.json"}


def _more_origins(view: View) -> list[str]:
    return list(view.api_server.additional_cors_allowed_origins)


def _strict_transport(view: View) -> str:
    suffix = ",includeSubDomains,preload" if view.cloud.owns_subdomains else ""
    return f"max-age=31536000{suffix}"
