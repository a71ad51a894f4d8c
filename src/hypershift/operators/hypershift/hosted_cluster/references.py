"""Which Secrets and ConfigMaps a cluster's configuration refers to, and where it does."""

from collections.abc import Iterator

from hypershift.kit import Manifest

Reference = tuple[str, str]  # the name of an object, and the field that names it
#: What each kind of identity provider refers to: ConfigMaps, then Secrets.
PROVIDERS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "basicAuth": (("ca",), ("tlsClientCert", "tlsClientKey")),
    "github": (("ca",), ("clientSecret",)),
    "gitlab": (("ca",), ("clientSecret",)),
    "google": ((), ("clientSecret",)),
    "htpasswd": ((), ("fileData",)),
    "keystone": (("ca",), ("tlsClientCert", "tlsClientKey")),
    "ldap": (("ca",), ("bindPassword",)),
    "openID": (("ca",), ("clientSecret",)),
    "requestHeader": (("ca",), ()),
}


def config_maps(configuration: Manifest) -> Iterator[Reference]:
    """Yield the ConfigMaps."""
    yield from _named(configuration, "apiServer", "clientCA")
    yield from _named(configuration, "authentication", "oauthMetadata")
    for provider, place in _oidc(configuration):
        yield from _of(provider.get("issuer"), f"{place}.issuer", "issuerCertificateAuthority")
    yield from _named(configuration, "image", "additionalTrustedCA")
    yield from _identity_providers(configuration, 0)
    yield from _named(configuration, "proxy", "trustedCA")
    yield from _named(configuration, "scheduler", "policy")


def secrets(configuration: Manifest) -> Iterator[Reference]:
    """Yield the Secrets."""
    serving = (configuration.get("apiServer") or {}).get("servingCerts") or {}
    for certificate in serving.get("namedCertificates") or ():
        place = "apiServer.servingCerts.namedCertificates"
        yield from _of(certificate, place, "servingCertificate")
    section = configuration.get("authentication") or {}
    for one in section.get("webhookTokenAuthenticators") or ():
        yield from _of(one, "authentication.webhookTokenAuthenticators", "kubeConfig")
    webhook = section.get("webhookTokenAuthenticator")
    yield from _of(webhook, "authentication.webhookTokenAuthenticator", "kubeConfig")
    for provider, place in _oidc(configuration):
        for client in provider.get("oidcClients") or ():
            yield from _of(client, f"{place}.oidcClients", "clientSecret")
    yield from _identity_providers(configuration, 1)
    templates = (configuration.get("oauth") or {}).get("templates")
    for field in ("error", "login", "providerSelection"):
        yield from _of(templates, "oauth.templates", field)


def _oidc(configuration: Manifest) -> Iterator[tuple[Manifest, str]]:
    section = configuration.get("authentication") or {}
    if section.get("type") == "OIDC":
        for provider in section.get("oidcProviders") or ():
            yield provider, "authentication.oidcProviders"


def _identity_providers(configuration: Manifest, part: int) -> Iterator[Reference]:
    for provider in (configuration.get("oauth") or {}).get("identityProviders") or ():
        kind = next((one for one in PROVIDERS if provider.get(one) is not None), "")
        for field in PROVIDERS[kind][part] if kind else ():
            yield from _of(provider[kind], f"oauth.identityProviders.{kind}", field)


def _named(configuration: Manifest, section: str, field: str) -> Iterator[Reference]:
    return _of(configuration.get(section), section, field)


def _of(section: Manifest | None, place: str, field: str) -> Iterator[Reference]:
    if name := ((section or {}).get(field) or {}).get("name"):
        yield name, f"{place}.{field}"
