"""The sections of HostedCluster spec.configuration, as Go's structs hold them."""

from collections.abc import Mapping

from hypershift.operators.hypershift.go_json.authentication import (
    AUTHENTICATION,
    OAUTH,
    REFERENCE,
)
from hypershift.operators.hypershift.go_json.shape import (
    NIL,
    OMIT,
    Items,
    NonZero,
    Pointer,
    Shape,
)

TLS_PROFILE: Shape = {
    "type": "",
    "old": Pointer({}),
    "intermediate": Pointer({}),
    "modern": Pointer({}),
    "custom": Pointer({"ciphers": None, "groups": OMIT, "minTLSVersion": ""}),
}
_NAMED: Shape = {"name": OMIT}
_VAULT: Shape = {
    "kmsPluginImage": OMIT,
    "vaultAddress": OMIT,
    "vaultNamespace": OMIT,
    "vaultAuthNamespace": OMIT,
    "tls": NonZero({"caBundle": NonZero(_NAMED), "serverName": OMIT}),
    "authentication": NonZero({"type": OMIT, "appRole": NonZero({"secret": NonZero(_NAMED)})}),
    "vaultKeyPath": OMIT,
}
_API_SERVER: Shape = {
    "servingCerts": {
        "namedCertificates": Items({"names": OMIT, "servingCertificate": REFERENCE}),
    },
    "clientCA": REFERENCE,
    "additionalCORSAllowedOrigins": OMIT,
    "encryption": {"type": OMIT, "kms": NonZero({"type": "", "vault": NonZero(_VAULT)})},
    "tlsSecurityProfile": Pointer(TLS_PROFILE),
    "tlsAdherence": OMIT,
    "audit": {"profile": OMIT, "customRules": Items({"group": "", "profile": ""})},
}

_FEATURE_GATE: Shape = {
    "featureSet": OMIT,
    "customNoUpgrade": Pointer({"enabled": OMIT, "disabled": OMIT}),
}

IMAGE: Shape = {
    "allowedRegistriesForImport": Items({"domainName": "", "insecure": OMIT}),
    "externalRegistryHostnames": OMIT,
    "additionalTrustedCA": REFERENCE,
    "registrySources": {
        "insecureRegistries": OMIT,
        "blockedRegistries": OMIT,
        "allowedRegistries": OMIT,
        "containerRuntimeSearchRegistries": OMIT,
    },
    "imageStreamImportMode": "",
}

_SELECTOR: Shape = {
    "matchLabels": OMIT,
    "matchExpressions": Items({"key": "", "operator": "", "values": OMIT}),
}
_INGRESS: Shape = {
    "domain": "",
    "appsDomain": OMIT,
    "componentRoutes": Items(
        {
            "namespace": "",
            "name": "",
            "hostname": "",
            "servingCertKeyPairSecret": REFERENCE,
            "labels": OMIT,
        }
    ),
    "requiredHSTSPolicies": Items(
        {
            "namespaceSelector": Pointer(_SELECTOR),
            "domainPatterns": None,
            "maxAge": {"largestMaxAge": NIL, "smallestMaxAge": NIL},
            "preloadPolicy": OMIT,
            "includeSubDomainsPolicy": OMIT,
        }
    ),
    "loadBalancer": {"platform": {"type": "", "aws": Pointer({"type": ""})}},
}

_TOLERATION: Shape = {
    "key": OMIT,
    "operator": OMIT,
    "value": OMIT,
    "effect": OMIT,
    "tolerationSeconds": NIL,
}
_PLACEMENT: Shape = {"nodeSelector": None, "tolerations": Items(_TOLERATION, absent=None)}
_NETWORK: Shape = {
    "clusterNetwork": Items({"cidr": "", "hostPrefix": OMIT}, absent=None),
    "serviceNetwork": None,
    "networkType": "",
    "externalIP": Pointer(
        {
            "policy": Pointer({"allowedCIDRs": OMIT, "rejectedCIDRs": OMIT}),
            "autoAssignCIDRs": OMIT,
        }
    ),
    "serviceNodePortRange": OMIT,
    "networkDiagnostics": {
        "mode": "",
        "sourcePlacement": _PLACEMENT,
        "targetPlacement": _PLACEMENT,
    },
    "networkObservability": NonZero({"installationPolicy": OMIT}),
}

_OPERATOR_HUB: Shape = {
    "disableAllDefaultSources": OMIT,
    "sources": Items({"name": "", "disabled": False}),
}

_SCHEDULER: Shape = {
    "policy": REFERENCE,
    "profile": OMIT,
    "profileCustomizations": {"dynamicResourceAllocation": ""},
    "defaultNodeSelector": OMIT,
    "mastersSchedulable": False,
}

PROXY: Shape = {
    "httpProxy": OMIT,
    "httpsProxy": OMIT,
    "noProxy": OMIT,
    "readinessEndpoints": OMIT,
    "trustedCA": REFERENCE,
}

#: The sections in their order.
SECTIONS: Mapping[str, Shape] = {
    "apiServer": _API_SERVER,
    "authentication": AUTHENTICATION,
    "featureGate": _FEATURE_GATE,
    "image": IMAGE,
    "ingress": _INGRESS,
    "network": _NETWORK,
    "oauth": OAUTH,
    "operatorhub": _OPERATOR_HUB,
    "scheduler": _SCHEDULER,
    "proxy": PROXY,
}
