"""The rules of a Kubernetes API server about those who may vouch for users.

Expressions are taken as they are: nothing here can compile them.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from cryptography import x509

from hypershift.api.configuration import ClaimMappings, OIDCProvider, TokenIssuer
from hypershift.kit import Manifest
from hypershift.operators.hypershift.hosted_cluster.rules.validation.url import read_url
from hypershift.operators.hypershift.hosted_cluster.rules.validation.words import (
    duplicate,
    invalid,
    required,
)

MOST = 64
RESERVED = ("kubernetes.io", "k8s.io")
_SUBDOMAIN = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")
_EMAIL = re.compile(r"\bclaims\.\??email\b")
_VERIFIED = re.compile(r"\bclaims\.\??email_verified\b")
_PATH = re.compile(r"[A-Za-z0-9/\-._~%!$&'()*+,;=:]+")


def jwt_problems(
    providers: Sequence[OIDCProvider], bundles: Mapping[str, Manifest | None], own: str
) -> Iterator[str]:
    """Yield what the API server would refuse; `own` issues the accounts of the cluster itself."""
    if len(providers) > MOST:
        yield f"jwt: Too many: {len(providers)}: must have at most {MOST} items"
        return
    seen: set[str] = set()
    discovered: set[str] = set()
    for index, provider in enumerate(providers):
        place = f"jwt[{index}]"
        address, discovery = provider.issuer.issuer_url, provider.issuer.discovery_url or ""
        yield from _issuer(f"{place}.issuer", provider.issuer, bundles, own)
        yield from _rules(place, provider)
        yield from _extra(f"{place}.claimMappings.extra", provider.claim_mappings)
        yield from _verified(f"{place}.claimMappings.username.expression", provider)
        yield from _user_rules(f"{place}.userValidationRules", provider)
        if address in seen:
            yield duplicate(f"{place}.issuer.url", address)
        if discovery and discovery in discovered:
            yield duplicate(f"{place}.issuer.discoveryURL", discovery)
        seen.add(address)
        discovered.add(discovery)


def _issuer(
    place: str, issuer: TokenIssuer, bundles: Mapping[str, Manifest | None], own: str
) -> Iterator[str]:
    address = issuer.issuer_url
    if not address:
        yield required(f"{place}.url")
    else:
        if address == own:
            text = f"URL must not overlap with disallowed issuers: [{own}]"
            yield invalid(f"{place}.url", address, text)
        yield from _url(f"{place}.url", address)
    if discovery := issuer.discovery_url:
        yield from _url(f"{place}.discoveryURL", discovery)
    yield from _audiences(f"{place}.audiences", issuer.audiences)
    authority = issuer.issuer_certificate_authority
    name = authority.name if authority else ""
    text = ((bundles.get(name) or {}).get("data") or {}).get("ca-bundle.crt") or ""
    if text and not _certificates(text):
        why = "data does not contain any valid RSA or ECDSA certificates"
        yield invalid(f"{place}.certificateAuthority", "<omitted>", why)


def _url(place: str, address: str) -> Iterator[str]:
    url = read_url(address)
    if url.problem:
        yield invalid(place, address, url.problem)
        return
    for wrong, text in (
        (url.scheme != "https", "URL scheme must be https"),
        (url.user, "URL must not contain a username or password"),
        (url.query, "URL must not contain a query"),
        (url.fragment, "URL must not contain a fragment"),
    ):
        if wrong:
            yield invalid(place, address, text)


def _audiences(place: str, audiences: Sequence[str]) -> Iterator[str]:
    if not audiences:
        yield required(place, f"at least one {place} is required")
    seen: set[str] = set()
    for index, audience in enumerate(audiences):
        if not audience:
            yield required(f"{place}[{index}]")
        if audience in seen:
            yield duplicate(f"{place}[{index}]", audience)
        seen.add(audience)


def _rules(place: str, provider: OIDCProvider) -> Iterator[str]:
    claims: set[str] = set()
    expressions: set[str] = set()
    for index, rule in enumerate(provider.claim_validation_rules):
        here = f"{place}.claimValidationRules[{index}]"
        if rule.type == "CEL":
            expression = rule.cel.expression if rule.cel else ""
            if expression in expressions:
                yield duplicate(f"{here}.expression", expression)
            expressions.add(expression)
            continue
        claim = rule.required_claim.claim if rule.required_claim else ""
        if not claim:
            yield required(here, "claim or expression is required")
        elif claim in claims:
            yield duplicate(f"{here}.claim", claim)
        claims.add(claim)


def _extra(place: str, mappings: ClaimMappings) -> Iterator[str]:
    seen: set[str] = set()
    for index, mapping in enumerate(mappings.extra):
        here, key = f"{place}[{index}].key", mapping.key
        yield from _domain_path(here, key)
        if key != key.lower():
            yield invalid(here, key, "must be lowercase")
        domain, slash, _ = key.partition("/")
        if slash and any(domain == one or domain.endswith(f".{one}") for one in RESERVED):
            text = "k8s.io, kubernetes.io and their subdomains are reserved for Kubernetes use"
            yield invalid(here, key, text)
        if key in seen:
            yield duplicate(here, key)
        seen.add(key)


def _verified(place: str, provider: OIDCProvider) -> Iterator[str]:
    """A mail address identifies a user only if the issuer verified it."""
    mappings = provider.claim_mappings
    name = mappings.username.expression or ""
    others = [rule.cel.expression for rule in provider.claim_validation_rules if rule.cel]
    others += [one.value_expression for one in mappings.extra]
    if _EMAIL.search(name) and not any(_VERIFIED.search(text) for text in (name, *others)):
        text = (
            "claims.email_verified must be used in claimMappings.username.expression or "
            "claimMappings.extra[*].valueExpression or claimValidationRules[*].expression when "
            "claims.email is used in claimMappings.username.expression"
        )
        yield invalid(place, name, text)


def _domain_path(place: str, key: str) -> Iterator[str]:
    domain, _, path = key.partition("/")
    if not domain or not path:
        text = 'must be a domain-prefixed path (such as "acme.io/foo")'
        yield invalid(place, key, text)
        return
    if not _SUBDOMAIN.fullmatch(domain):
        text = (
            "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, "
            "'-' or '.', and must start and end with an alphanumeric character (e.g. "
            f"'example.com', regex used for validation is '{_SUBDOMAIN.pattern}')"
        )
        yield invalid(place, domain, text)
    if not _PATH.fullmatch(path):
        text = f"Invalid path (regex used for validation is '{_PATH.pattern}')"
        yield invalid(place, path, text)


def _user_rules(place: str, provider: OIDCProvider) -> Iterator[str]:
    seen: set[str] = set()
    for index, rule in enumerate(provider.user_validation_rules):
        if rule.expression in seen:
            yield duplicate(f"{place}[{index}].expression", rule.expression)
        seen.add(rule.expression)


def _certificates(text: str) -> bool:
    try:
        return bool(x509.load_pem_x509_certificates(text.encode()))
    except ValueError:
        return False
