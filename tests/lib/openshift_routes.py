"""OpenShift's Route as a definition, for API servers that are not OpenShift's."""

from hypershift.kit import Manifest


def _object(properties: Manifest, *required: str) -> Manifest:
    made: Manifest = {"type": "object", "properties": properties}
    return made | ({"required": list(required)} if required else {})


def _text(*values: str, most: int = 0) -> Manifest:
    made: Manifest = {"type": "string"}
    return made | ({"enum": list(values)} if values else {}) | ({"maxLength": most} if most else {})


def _list(items: Manifest) -> Manifest:
    return {"type": "array", "items": items}


def _one_of(*values: str) -> Manifest:
    return _text(*values)


_CONDITION = _object(
    {
        "type": _text(),
        "status": _text(),
        "reason": _text(),
        "message": _text(),
        "lastTransitionTime": {"type": "string", "format": "date-time"},
    },
    "type",
    "status",
)
_INGRESS = _object(
    {
        "host": _text(),
        "routerName": _text(),
        "routerCanonicalHostname": _text(),
        "wildcardPolicy": _text(),
        "conditions": _list(_CONDITION),
    }
)
_TARGET = _object(
    {"kind": _one_of("Service", ""), "name": _text(), "weight": {"type": "integer"}},
    "kind",
    "name",
)
_TLS = _object(
    {
        "termination": _one_of("edge", "reencrypt", "passthrough"),
        "insecureEdgeTerminationPolicy": _one_of("Allow", "None", "Redirect", ""),
    },
    "termination",
)
_SPEC = _object(
    {
        "host": _text(most=253),
        "to": _TARGET,
        "tls": _TLS,
        "wildcardPolicy": _one_of("None", "Subdomain", ""),
    },
    "to",
)
DEFINITION: Manifest = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "routes.route.openshift.io"},
    "spec": {
        "group": "route.openshift.io",
        "names": {
            "kind": "Route",
            "listKind": "RouteList",
            "plural": "routes",
            "singular": "route",
        },
        "scope": "Namespaced",
        "versions": [
            {
                "name": "v1",
                "served": True,
                "storage": True,
                "subresources": {"status": {}},
                "schema": {
                    "openAPIV3Schema": _object(
                        {
                            "apiVersion": _text(),
                            "kind": _text(),
                            "metadata": {"type": "object"},
                            "spec": _SPEC,
                            "status": _object({"ingress": _list(_INGRESS)}),
                        },
                        "spec",
                    )
                },
            }
        ],
    },
}
