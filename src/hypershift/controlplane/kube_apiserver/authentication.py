"""Who may call: users of an OpenID Connect provider that the cluster's owner runs."""

from typing import Any

from hypershift.api.configuration.claims import (
    ClaimMappings,
    ClaimValidationRule,
    GroupsMapping,
    RequiredClaim,
    TokenExpression,
    UIDMapping,
    UsernameMapping,
)
from hypershift.api.configuration.oidc import OIDCProvider
from hypershift.api.values import AuthenticationType, PrefixPolicy
from hypershift.component import View

CA_KEY = "ca-bundle.crt"


def by_oidc(view: View) -> bool:
    """Whether users come from an OIDC provider instead of OpenShift's own OAuth server."""
    return view.authentication.type == AuthenticationType.OIDC


def authentication_config(view: View, version: str) -> dict[str, Any]:
    """The API server's AuthenticationConfiguration."""
    return {
        "kind": "AuthenticationConfiguration",
        "apiVersion": f"apiserver.config.k8s.io/{version}",
        "jwt": [_jwt(view, provider) for provider in view.authentication.oidc_providers],
    }


def _jwt(view: View, provider: OIDCProvider) -> dict[str, Any]:
    issuer = provider.issuer
    config: dict[str, Any] = {
        "issuer": {
            "url": issuer.issuer_url,
            "audiences": list(issuer.audiences),
            "audienceMatchPolicy": "MatchAny",
        },
        "claimMappings": _mappings(provider.claim_mappings, issuer.issuer_url),
    }
    authority = issuer.issuer_certificate_authority
    if authority and authority.name:
        config["issuer"]["certificateAuthority"] = view.text(authority.name, CA_KEY)
    if address := issuer.discovery_url:
        config["issuer"]["discoveryURL"] = address
    if rules := [_rule(rule) for rule in provider.claim_validation_rules]:
        config["claimValidationRules"] = rules
    if rules := [_expression(rule) for rule in provider.user_validation_rules]:
        config["userValidationRules"] = rules
    return config


def _mappings(mappings: ClaimMappings, issuer: str) -> dict[str, Any]:
    groups, uid = mappings.groups or GroupsMapping(), mappings.uid or UIDMapping()
    result: dict[str, Any] = {
        "username": _username(mappings.username, issuer),
        "uid": {"expression": uid.expression} if uid.expression else {"claim": uid.claim or "sub"},
    }
    if groups.expression:
        result["groups"] = {"expression": groups.expression}
    elif groups.claim:
        result["groups"] = {"claim": groups.claim, "prefix": groups.prefix or ""}
    if mappings.extra:
        result["extra"] = [
            {"key": item.key, "valueExpression": item.value_expression} for item in mappings.extra
        ]
    return result


def _username(username: UsernameMapping, issuer: str) -> dict[str, str]:
    """Without a policy, names are prefixed by their issuer unless they are mail addresses."""
    if username.expression:
        return {"expression": username.expression}
    claim = username.claim or "sub"
    match username.prefix_policy:
        case PrefixPolicy.PREFIX:
            prefix = username.prefix.prefix_string if username.prefix else ""
        case PrefixPolicy.NO_PREFIX:
            prefix = ""
        case _:
            prefix = "" if claim == "email" else f"{issuer}#"
    return {"claim": claim, "prefix": prefix}


def _rule(rule: ClaimValidationRule) -> dict[str, str]:
    if rule.cel and rule.cel.expression:
        return _expression(rule.cel)
    required = rule.required_claim or RequiredClaim(claim="", required_value="")
    return {"claim": required.claim, "requiredValue": required.required_value}


def _expression(rule: TokenExpression) -> dict[str, str]:
    message = {"message": rule.message} if rule.message else {}
    return {"expression": rule.expression, **message}
