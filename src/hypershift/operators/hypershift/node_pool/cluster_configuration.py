"""HostedCluster spec.configuration as Go's JSON: the text behind `hc-configuration-hash`.

Go writes struct fields in their order and shows nested structs although they are empty; the
tables hold both facts. A value in parentheses below is what an absent field is shown as.
"""

from collections.abc import Callable, Mapping
from typing import Any

from hypershift.ignition.fingerprint import of_text
from hypershift.ignition.goyaml import to_json
from hypershift.kit import Manifest
from hypershift.operators.hypershift.node_pool import global_config

_OMIT = object()
_REFERENCE: Mapping[str, Any] = {"name": ""}
_DIAGNOSTICS: Mapping[str, Any] = {"mode": "", "sourcePlacement": {}, "targetPlacement": {}}

#: Fields of each section in Go's order, with what they show when empty.
_SECTIONS: Mapping[str, Mapping[str, Any]] = {
    "apiServer": {
        "servingCerts": {},
        "clientCA": _REFERENCE,
        "additionalCORSAllowedOrigins": _OMIT,
        "encryption": {},
        "tlsSecurityProfile": _OMIT,
        "audit": {},
    },
    "authentication": {
        "type": "",
        "oauthMetadata": _REFERENCE,
        "webhookTokenAuthenticators": _OMIT,
        "webhookTokenAuthenticator": _OMIT,
        "serviceAccountIssuer": "",
        "oidcProviders": _OMIT,
    },
    "featureGate": {"featureSet": _OMIT, "customNoUpgrade": _OMIT},
    "ingress": {
        "domain": "",
        "appsDomain": _OMIT,
        "componentRoutes": _OMIT,
        "requiredHSTSPolicies": _OMIT,
        "loadBalancer": {"platform": {"type": ""}},
    },
    "network": {
        "clusterNetwork": None,
        "serviceNetwork": None,
        "networkType": "",
        "externalIP": _OMIT,
        "serviceNodePortRange": _OMIT,
        "networkDiagnostics": _DIAGNOSTICS,
    },
    "oauth": {
        "identityProviders": _OMIT,
        "tokenConfig": {},
        "templates": {"login": _REFERENCE, "providerSelection": _REFERENCE, "error": _REFERENCE},
    },
    "operatorhub": {"disableAllDefaultSources": _OMIT, "sources": _OMIT},
    "scheduler": {
        "policy": _REFERENCE,
        "profile": _OMIT,
        "profileCustomizations": {"dynamicResourceAllocation": ""},
        "defaultNodeSelector": _OMIT,
        "mastersSchedulable": False,
    },
}
_BUILDERS: Mapping[str, Callable[[Manifest], Manifest]] = {
    "image": global_config.image_spec,
    "proxy": global_config.proxy_spec,
}
_ORDER = ("apiServer", "authentication", "featureGate", "image", "ingress", "network", "oauth",
          "operatorhub", "scheduler", "proxy")  # fmt: skip


def json_text(configuration: Manifest | None) -> str:
    """The JSON text of the whole configuration; `null` without one."""
    if configuration is None:
        return "null"
    ordered = {
        name: _section(name, configuration[name])
        for name in _ORDER
        if configuration.get(name) is not None
    }
    return to_json(ordered, sort=False)


def fingerprint(configuration: Manifest | None) -> str:
    """The hash by which the ignition server knows that it sees the same configuration."""
    return of_text(global_config.without_empty_import_mode(json_text(configuration)))


def _section(name: str, value: Manifest) -> Manifest:
    if name in _BUILDERS:
        return _BUILDERS[name](value)
    return _shown(_SECTIONS[name], value)


def _shown(fields: Mapping[str, Any], value: Manifest) -> Manifest:
    shown: Manifest = {}
    for name, default in fields.items():
        given = value.get(name)
        if isinstance(default, Mapping):
            shown[name] = _nested(default, given or {})
        elif given or (given is not None and default is not _OMIT):
            shown[name] = given
        elif default is not _OMIT:
            shown[name] = default
    return shown


def _nested(default: Mapping[str, Any], given: Manifest) -> Manifest:
    """A struct within a struct: known fields first, in order, then what else was given."""
    known = _shown(default, given)
    return known | {name: item for name, item in given.items() if name not in known and item}
