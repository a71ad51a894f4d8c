"""Whether an external provider of users can be asked, and cannot speak for our own accounts."""

from collections.abc import Iterator, Mapping

from hypershift.api import encode
from hypershift.api.configuration import (
    Authentication,
    ClaimMappings,
    ClaimValidationRule,
    ExtraMapping,
    GroupsMapping,
    OIDCProvider,
    TokenExpression,
    UIDMapping,
    UsernameMapping,
)
from hypershift.api.go_json import go_json
from hypershift.api.hosted_cluster import HostedClusterSpec
from hypershift.kit import Manifest, aggregate
from hypershift.operators.hypershift.hosted_cluster.rules.validation.jwt import jwt_problems
from hypershift.operators.hypershift.hosted_cluster.rules.validation.url import read_url
from hypershift.operators.hypershift.hosted_cluster.rules.validation.words import invalid, not_found

FIELD = "spec.configuration.authentication"
CA_KEY = "ca-bundle.crt"
Bundles = Mapping[str, Manifest | None]


def authentication_problems(spec: HostedClusterSpec, bundles: Bundles) -> Iterator[str]:
    """Yield what is wrong with the way in which users log in.

    `bundles` are the ConfigMaps with the certificates of issuers, as far as they are there.
    """
    section = spec.configuration.authentication if spec.configuration else None
    if section is None:
        return
    if why := _why(section, bundles, spec.issuer_url):
        yield invalid(FIELD, go_json(Authentication, encode(section)), why)


def issuer_bundles(spec: HostedClusterSpec) -> tuple[str, ...]:
    """The ConfigMaps that hold the certificates of issuers."""
    section = spec.configuration.authentication if spec.configuration else None
    names = (_bundle(provider) for provider in (section.oidc_providers if section else ()))
    return tuple(name for name in names if name)


def _why(section: Authentication, bundles: Bundles, own: str) -> str:
    match section.type or "":
        case "OIDC":
            providers = section.oidc_providers
        case "None" | "IntegratedOAuth":
            return ""
        case other:
            return f'unknown type "{other}"'
    for provider in providers:
        if trouble := _provider(provider, bundles):
            context = f'generating JWT authenticator for provider "{provider.name}"'
            return f"generating structured authentication configuration: {context}: {trouble}"
    return aggregate(jwt_problems(providers, bundles, own))


def _provider(provider: OIDCProvider, bundles: Bundles) -> str:
    """Why no configuration can be made of a provider; the first reason is enough."""
    rules, users = provider.claim_validation_rules, provider.user_validation_rules
    for context, trouble in (
        ("generating issuer", _issuer(provider, bundles)),
        ("generating claim mappings", _mappings(provider.claim_mappings)),
        ("generating claim validation rules", "\n".join(filter(None, map(_claim_rule, rules)))),
        (
            f'generating userValidationRules for provider "{provider.name}"',
            "\n".join(filter(None, map(_user_rule, users))),
        ),
    ):
        if trouble:
            return f"{context}: {trouble}"
    return ""


def _bundle(provider: OIDCProvider) -> str:
    authority = provider.issuer.issuer_certificate_authority
    return authority.name if authority else ""


def _issuer(provider: OIDCProvider, bundles: Bundles) -> str:
    issuer = provider.issuer
    if trouble := _discovery(issuer.discovery_url or "", issuer.issuer_url):
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


def _mappings(mappings: ClaimMappings) -> str:
    for name, trouble in (
        ("username", _username(mappings.username)),
        ("groups", _groups(mappings.groups or GroupsMapping())),
        ("uid", _uid(mappings.uid)),
        ("extra", "\n".join(filter(None, map(_extra, mappings.extra)))),
    ):
        if trouble:
            return f"generating {name} claim mapping: {trouble}"
    return ""


def _username(mapping: UsernameMapping) -> str:
    claim, expression = mapping.claim, mapping.expression
    policy = mapping.prefix_policy or ""
    if not claim and not expression:
        return "claim or expression field is empty in username claim mapping"
    if claim and expression:
        return "username claim mapping must not set both claim and expression"
    if expression and policy == "Prefix":
        return (
            "username claim mappings cannot have a prefix set when using an expression based "
            "mapping. When using an expression mapping, set the prefix in the expression"
        )
    if claim and policy == "Prefix" and mapping.prefix is None:
        return "nil username prefix while policy expects one"
    if claim and policy not in ("", "Prefix", "NoPrefix"):
        return f"invalid username prefix policy: {policy}"
    return ""


def _groups(mapping: GroupsMapping) -> str:
    if mapping.expression and mapping.claim:
        return "groups claim mapping must not set both claim and expression"
    if mapping.expression and mapping.prefix:
        return "groups claim mapping must not set prefix when expression is set"
    return ""


def _uid(mapping: UIDMapping | None) -> str:
    if mapping is None:
        return ""
    claim, expression = mapping.claim or "", mapping.expression or ""
    given = f"&{{{claim} {expression}}}"
    if claim and expression:
        return f"uid mapping must set either claim or expression, not both: {given}"
    return "" if claim or expression else f"unable to handle uid mapping: {given}"


def _extra(mapping: ExtraMapping) -> str:
    for given, article in ((mapping.key, "a key"), (mapping.value_expression, "a valueExpression")):
        if not given:
            return f"extra mapping must specify {article}, but none was provided"
    return ""


def _claim_rule(rule: ClaimValidationRule) -> str:
    match rule.type:
        case "RequiredClaim" if rule.required_claim is None:
            return "claimValidationRule.type is RequiredClaim and requiredClaim is not set"
        case "CEL" if rule.cel is None or not rule.cel.expression:
            return "claimValidationRule.type is CEL and expression is not set"
        case "RequiredClaim" | "CEL":
            return ""
        case other:
            return f'unknown claimValidationRule type "{other}"'


def _user_rule(rule: TokenExpression) -> str:
    if rule.expression:
        return ""
    return "generating userValidationRule: userValidationRule expression must be non-empty"
