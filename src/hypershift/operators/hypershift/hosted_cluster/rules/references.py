"""Which Secrets and ConfigMaps of a cluster's configuration its control plane gets copies of."""

from collections.abc import Iterator

from hypershift.api import replace
from hypershift.api.configuration import ClusterConfiguration, IdentityProvider
from hypershift.api.facts import declared, nested
from hypershift.api.references import Reference, references
from hypershift.api.shape import Refers

#: The fields of an identity provider of which one is set, in the order in which they count.
_PROVIDERS = tuple(facts.name for facts in declared(IdentityProvider) if nested(facts.type))


def config_maps(configuration: ClusterConfiguration) -> Iterator[tuple[str, str]]:
    """Yield the name of each ConfigMap, and the field that names it."""
    return _of_kind(Refers.CONFIG_MAP, configuration)


def secrets(configuration: ClusterConfiguration) -> Iterator[tuple[str, str]]:
    """Yield the name of each Secret, and the field that names it."""
    return _of_kind(Refers.SECRET, configuration)


def _of_kind(kind: Refers, configuration: ClusterConfiguration) -> Iterator[tuple[str, str]]:
    return ((found.name, found.field) for found in _used(configuration) if found.kind is kind)


def _used(configuration: ClusterConfiguration) -> Iterator[Reference]:
    """Yield the references in the parts of a configuration that are in force."""
    authentication, oauth = configuration.authentication, configuration.oauth
    if authentication and authentication.type != "OIDC":
        authentication = replace(authentication, oidc_providers=())
    if oauth:
        oauth = replace(
            oauth, identity_providers=tuple(map(_first_kind_only, oauth.identity_providers))
        )
    return references(replace(configuration, authentication=authentication, oauth=oauth))


def _first_kind_only(provider: IdentityProvider) -> IdentityProvider:
    """An identity provider with the first of its kinds alone."""
    given = [name for name in _PROVIDERS if getattr(provider, name) is not None]
    return replace(provider, **dict.fromkeys(given[1:]))
