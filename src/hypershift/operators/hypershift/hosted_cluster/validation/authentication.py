"""Whether an external provider of users can be asked, and cannot speak for our own accounts."""

from collections.abc import Iterator
from urllib.parse import urlsplit

from hypershift.kit import Manifest

FIELD = "configuration.authentication.oidcProviders"


def authentication_problems(spec: Manifest) -> Iterator[str]:
    """Yield what is wrong with the OIDC providers."""
    section = (spec.get("configuration") or {}).get("authentication") or {}
    seen: set[str] = set()
    for index, provider in enumerate(section.get("oidcProviders") or ()):
        place = f"{FIELD}[{index}]"
        issuer: Manifest = provider.get("issuer") or {}
        address = str(issuer.get("issuerURL") or "")
        yield from _address(f"{place}.issuer.issuerURL", address)
        if address in seen:
            yield f"{place}: issuer {address} is named twice"
        if address and address == spec.get("issuerURL"):
            yield f"{place}: issuer {address} is the cluster's own service account issuer"
        seen.add(address)
        yield from _discovery(place, issuer, address)
        if not issuer.get("audiences"):
            yield f"{place}.issuer.audiences: at least one audience is needed"
        yield from _username(f"{place}.claimMappings.username", provider)


def _address(place: str, address: str) -> Iterator[str]:
    parts = urlsplit(address)
    if parts.scheme != "https" or not parts.hostname:
        yield f"{place}: {address!r} is no https URL"
    elif parts.query or parts.fragment or parts.username:
        yield f"{place}: {address!r} must have no user, query or fragment"


def _discovery(place: str, issuer: Manifest, address: str) -> Iterator[str]:
    found = str(issuer.get("discoveryURL") or "")
    if not found:
        return
    yield from _address(f"{place}.issuer.discoveryURL", found)
    if found.rstrip("/") == address.rstrip("/"):
        yield f"{place}.issuer.discoveryURL must not be the issuer's own URL"


def _username(place: str, provider: Manifest) -> Iterator[str]:
    username: Manifest = (provider.get("claimMappings") or {}).get("username") or {}
    claim, expression = username.get("claim"), username.get("expression")
    if bool(claim) == bool(expression):
        yield f"{place} needs either a claim or an expression"
    prefix = (username.get("prefix") or {}).get("prefixString")
    if username.get("prefixPolicy") == "Prefix" and not prefix:
        yield f"{place} asks for a prefix and names none"
