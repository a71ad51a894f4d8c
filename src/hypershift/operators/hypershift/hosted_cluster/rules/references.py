"""Which Secrets and ConfigMaps of a cluster's configuration its control plane gets copies of."""

from collections.abc import Iterator

from hypershift.api.configuration import ClusterConfiguration, IdentityProvider
from hypershift.api.facts import declared, nested
from hypershift.api.references import Reference, references
from hypershift.api.shape import Refers
from hypershift.kit import Manifest

#: The fields of an identity provider of which one is set, in the order in which they count.
_PROVIDERS = tuple(facts.wire for facts in declared(IdentityProvider) if nested(facts.type))


def config_maps(configuration: Manifest) -> Iterator[tuple[str, str]]:
    """Yield the name of each ConfigMap, and the field that names it."""
    return _of_kind(Refers.CONFIG_MAP, configuration)


def secrets(configuration: Manifest) -> Iterator[tuple[str, str]]:
    """Yield the name of each Secret, and the field that names it."""
    return _of_kind(Refers.SECRET, configuration)


def _of_kind(kind: Refers, configuration: Manifest) -> Iterator[tuple[str, str]]:
    return ((found.name, found.field) for found in _used(configuration) if found.kind is kind)


def _used(configuration: Manifest) -> Iterator[Reference]:
    """Yield the references in the parts of a configuration that are in force."""
    authentication = dict(configuration.get("authentication") or {})
    if authentication.get("type") != "OIDC":
        authentication.pop("oidcProviders", None)
    oauth = dict(configuration.get("oauth") or {})
    oauth["identityProviders"] = [_one(each) for each in oauth.get("identityProviders") or ()]
    used = configuration | {"authentication": authentication, "oauth": oauth}
    return references(ClusterConfiguration, used)


def _one(provider: Manifest) -> Manifest:
    """An identity provider with the first of its kinds alone."""
    kind = next((name for name in _PROVIDERS if provider.get(name) is not None), "")
    return {kind: provider[kind]} if kind else {}
