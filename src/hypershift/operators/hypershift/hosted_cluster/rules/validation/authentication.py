"""Whether an external provider of users can be asked, and cannot speak for our own accounts."""

from collections.abc import Iterator, Mapping
from typing import Any

from hypershift.api.configuration import Authentication
from hypershift.api.go_json import go_json
from hypershift.kit import Manifest, aggregate
from hypershift.operators.hypershift.hosted_cluster.rules.validation.jwt import jwt_problems
from hypershift.operators.hypershift.hosted_cluster.rules.validation.url import read_url
from hypershift.operators.hypershift.hosted_cluster.rules.validation.words import invalid, not_found

FIELD = "spec.configuration.authentication"
CA_KEY = "ca-bundle.crt"
Bundles = Mapping[str, Manifest | None]


def authentication_problems(spec: Manifest, bundles: Bundles) -> Iterator[str]:
    """Yield what is wrong with the way in which users log in.

    `bundles` are the ConfigMaps with the certificates of issuers, as far as they are there.
    """
    section = (spec.get("configuration") or {}).get("authentication")
    if section is None:
        return
    if why := _why(section, bundles, spec.get("issuerURL") or ""):
        yield invalid(FIELD, go_json(Authentication, section), why)


def issuer_bundles(spec: Manifest) -> tuple[str, ...]:
    """The ConfigMaps that hold the certificates of issuers."""
    section = (spec.get("configuration") or {}).get("authentication") or {}
    names = (_bundle(provider) for provider in section.get("oidcProviders") or ())
    return tuple(name for name in names if name)


def _why(section: Manifest, bundles: Bundles, own: str) -> str:
    match section.get("type") or "":
        case "OIDC":
            providers = section.get("oidcProviders") or ()
        case "None" | "IntegratedOAuth":
            return ""
        case other:
            return f'unknown type "{other}"'
    for provider in providers:
        if trouble := _provider(provider, bundles):
            name = provider.get("name") or ""
            context = f'generating JWT authenticator for provider "{name}"'
            return f"generating structured authentication configuration: {context}: {trouble}"
    return aggregate(jwt_problems(providers, bundles, own))


def _provider(provider: Manifest, bundles: Bundles) -> str:
    """Why no configuration can be made of a provider; the first reason is enough."""
    mappings = provider.get("claimMappings") or {}
    rules = provider.get("claimValidationRules") or ()
    users = provider.get("userValidationRules") or ()
    name = provider.get("name") or ""
    for context, trouble in (
        ("generating issuer", _issuer(provider, bundles)),
        ("generating claim mappings", _mappings(mappings)),
        ("generating claim validation rules", "\n".join(filter(None, map(_claim_rule, rules)))),
        (
            f'generating userValidationRules for provider "{name}"',
            "\n".join(filter(None, map(_user_rule, users))),
        ),
    ):
        if trouble:
            return f"{context}: {trouble}"
    return ""


def _bundle(provider: Manifest) -> str:
    issuer = provider.get("issuer") or {}
    return str((issuer.get("issuerCertificateAuthority") or {}).get("name") or "")


def _issuer(provider: Manifest, bundles: Bundles) -> str:
    issuer = provider.get("issuer") or {}
    if trouble := _discovery(issuer.get("discoveryURL") or "", issuer.get("issuerURL") or ""):
        return trouble
    name, context = _bundle(provider), "getting certificate authority for issuer"
    if not name:
        return ""
    bundle = bundles.get(name)
    if bundle is None:
        missing = not_found("configmaps", name)
        return f"{context}: failed to get issuer certificate authority configmap: {missing}"
    if CA_KEY not in (bundle.get("data") or {}):
        text = f'issuer certificate authority configmap does not contain key "{CA_KEY}"'
        return f"{context}: {text}"
    return ""


def _discovery(address: str, issuer: str) -> str:
    if not address:
        return ""
    url = read_url(address)
    for wrong, text in (
        (url.problem, f"invalid discovery URL: {url.problem}"),
        (
            address.rstrip("/") == issuer.rstrip("/"),
            "discovery URL must not be identical to issuer URL",
        ),
        (url.scheme != "https", f'discovery URL must use https, got "{url.scheme}"'),
        (not url.host, "discovery URL must include a host"),
        (url.user, "discovery URL must not contain user info"),
        (url.query, "discovery URL must not contain a query string"),
        (url.fragment, "discovery URL must not contain a fragment"),
    ):
        if wrong:
            return text
    return ""


def _mappings(mappings: Manifest) -> str:
    for name, trouble in (
        ("username", _username(mappings.get("username") or {})),
        ("groups", _groups(mappings.get("groups") or {})),
        ("uid", _uid(mappings.get("uid"))),
        ("extra", "\n".join(filter(None, map(_extra, mappings.get("extra") or ())))),
    ):
        if trouble:
            return f"generating {name} claim mapping: {trouble}"
    return ""


def _username(mapping: Manifest) -> str:
    claim, expression = mapping.get("claim"), mapping.get("expression")
    policy = mapping.get("prefixPolicy") or ""
    if not claim and not expression:
        return "claim or expression field is empty in username claim mapping"
    if claim and expression:
        return "username claim mapping must not set both claim and expression"
    if expression and policy == "Prefix":
        return (
            "username claim mappings cannot have a prefix set when using an expression based "
            "mapping. When using an expression mapping, set the prefix in the expression"
        )
    if claim and policy == "Prefix" and mapping.get("prefix") is None:
        return "nil username prefix while policy expects one"
    if claim and policy not in ("", "Prefix", "NoPrefix"):
        return f"invalid username prefix policy: {policy}"
    return ""


def _groups(mapping: Manifest) -> str:
    if mapping.get("expression") and mapping.get("claim"):
        return "groups claim mapping must not set both claim and expression"
    if mapping.get("expression") and mapping.get("prefix"):
        return "groups claim mapping must not set prefix when expression is set"
    return ""


def _uid(mapping: Manifest | None) -> str:
    if mapping is None:
        return ""
    claim, expression = mapping.get("claim") or "", mapping.get("expression") or ""
    given = f"&{{{claim} {expression}}}"
    if claim and expression:
        return f"uid mapping must set either claim or expression, not both: {given}"
    return "" if claim or expression else f"unable to handle uid mapping: {given}"


def _extra(mapping: Manifest) -> str:
    for field, article in (("key", "a key"), ("valueExpression", "a valueExpression")):
        if not mapping.get(field):
            return f"extra mapping must specify {article}, but none was provided"
    return ""


def _claim_rule(rule: Manifest) -> str:
    match rule.get("type") or "":
        case "RequiredClaim" if rule.get("requiredClaim") is None:
            return "claimValidationRule.type is RequiredClaim and requiredClaim is not set"
        case "CEL" if not _cel(rule).get("expression"):
            return "claimValidationRule.type is CEL and expression is not set"
        case "RequiredClaim" | "CEL":
            return ""
        case other:
            return f'unknown claimValidationRule type "{other}"'


def _cel(rule: Manifest) -> dict[str, Any]:
    return dict(rule.get("cel") or {})


def _user_rule(rule: Manifest) -> str:
    if rule.get("expression"):
        return ""
    return "generating userValidationRule: userValidationRule expression must be non-empty"
