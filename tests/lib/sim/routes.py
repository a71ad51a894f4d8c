"""From a path to the kind, object and subresource that it names."""

from dataclasses import dataclass
from urllib.parse import unquote

from hypershift.kit import Key, Manifest
from hypershift.kube import Resource, kinds

#: Groups that only exist where somebody installed their CRDs; their kinds behave as custom ones.
BUILT_IN_GROUPS = frozenset(
    {
        "",
        "admissionregistration.k8s.io",
        "apiextensions.k8s.io",
        "apiregistration.k8s.io",
        "apps",
        "authentication.k8s.io",
        "authorization.k8s.io",
        "autoscaling",
        "batch",
        "certificates.k8s.io",
        "coordination.k8s.io",
        "discovery.k8s.io",
        "networking.k8s.io",
        "node.k8s.io",
        "policy",
        "rbac.authorization.k8s.io",
        "scheduling.k8s.io",
        "storage.k8s.io",
    }
)
_WITHOUT_STATUS = frozenset(
    {
        "configmaps",
        "secrets",
        "serviceaccounts",
        "events",
        "endpoints",
        "limitranges",
        "leases",
        "endpointslices",
        "priorityclasses",
        "storageclasses",
        "csidrivers",
        "csinodes",
        "runtimeclasses",
        "ingressclasses",
        "networkpolicies",
        "controllerrevisions",
        "podtemplates",
    }
)
_WITH_GENERATION = frozenset(
    {"apps", "batch", "networking.k8s.io", "policy", "apiextensions.k8s.io"}
)


def is_custom(resource: Resource) -> bool:
    """Whether the kind comes from a CRD."""
    return resource.group not in BUILT_IN_GROUPS


def has_status(resource: Resource) -> bool:
    """Whether the kind's status is written by a subresource of its own."""
    return resource.plural not in _WITHOUT_STATUS and resource.group != "rbac.authorization.k8s.io"


def has_generation(resource: Resource) -> bool:
    """Whether the server counts changes of the spec."""
    return is_custom(resource) or resource.group in _WITH_GENERATION


@dataclass(frozen=True, slots=True)
class Target:
    """What a path names; `name` is empty for a collection."""

    resource: Resource
    namespace: str = ""
    name: str = ""
    subresource: str = ""

    @property
    def key(self) -> Key:
        """The object's key."""
        return Key(self.namespace, self.name)


class Catalog:
    """The kinds that the server serves."""

    def __init__(self) -> None:
        """Serve everything that `kinds` names."""
        self._kinds = {(one.group, one.version, one.plural): one for one in kinds.every()}

    def add(self, resource: Resource) -> None:
        """Serve one more kind."""
        self._kinds[resource.group, resource.version, resource.plural] = resource

    def install(self, crd: Manifest) -> None:
        """Serve the kinds of a CustomResourceDefinition."""
        spec, names = crd["spec"], crd["spec"]["names"]
        for version in spec["versions"]:
            if version.get("served"):
                namespaced = spec["scope"] == "Namespaced"
                group, plural = spec["group"], names["plural"]
                self.add(Resource(group, version["name"], plural, names["kind"], namespaced))

    def served(self, group: str, version: str) -> list[Resource]:
        """The kinds of one group and version, for discovery."""
        return [one for one in self._kinds.values() if (one.group, one.version) == (group, version)]

    def resource(self, group: str, version: str, plural: str) -> Resource | None:
        """One kind."""
        return self._kinds.get((group, version, plural))

    def target(self, path: str) -> Target | None:
        """What a path names; None when the server has nothing there."""
        parts = [unquote(part) for part in path.strip("/").split("/")]
        if parts[0] == "api":
            group, version, rest = "", parts[1], parts[2:]
        elif parts[0] == "apis" and len(parts) > 2:
            group, version, rest = parts[1], parts[2], parts[3:]
        else:
            return None
        namespace = ""
        if len(rest) > 2 and rest[0] == "namespaces" and rest[2] not in {"status", "finalize"}:
            namespace, rest = rest[1], rest[2:]
        resource = self.resource(group, version, rest[0]) if rest else None
        if resource is None:
            return None
        name, subresource = (*rest[1:3], "", "")[:2]
        return Target(resource, namespace, name, subresource)
