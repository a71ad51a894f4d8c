"""Who may call: users of an OpenID Connect provider that the cluster's owner runs."""

from typing import Any

from hypershift.component import View
from hypershift.kit import Manifest

CA_KEY = "ca-bundle.crt"


def by_oidc(view: View) -> bool:
    """Whether users come from an OIDC provider instead of OpenShift's own OAuth server."""
    return view.configured("authentication").get("type") == "OIDC"


def authentication_config(view: View, version: str) -> dict[str, Any]:
    """The API server's AuthenticationConfiguration."""
    providers = view.configured("authentication").get("oidcProviders") or ()
    return {
        "kind": "AuthenticationConfiguration",
        "apiVersion": f"apiserver.config.k8s.io/{version}",
        "jwt": [_jwt(view, provider) for provider in providers],
    }


def _jwt(view: View, provider: Manifest) -> dict[str, Any]:
    issuer: Manifest = provider["issuer"]
    config: dict[str, Any] = {
        "issuer": {
            "url": issuer["issuerURL"],
            "audiences": list(issuer.get("audiences") or ()),
            "audienceMatchPolicy": "MatchAny",
        },
        "claimMappings": _mappings(provider.get("claimMappings") or {}, issuer["issuerURL"]),
    }
    if name := (issuer.get("issuerCertificateAuthority") or {}).get("name"):
        config["issuer"]["certificateAuthority"] = view.text(name, CA_KEY)
    if address := issuer.get("discoveryURL"):
        config["issuer"]["discoveryURL"] = address
    if rules := [_rule(rule) for rule in provider.get("claimValidationRules") or ()]:
        config["claimValidationRules"] = rules
    if rules := [_expression(rule) for rule in provider.get("userValidationRules") or ()]:
        config["userValidationRules"] = rules
    return config


def _mappings(mappings: Manifest, issuer: str) -> dict[str, Any]:
    groups = mappings.get("groups") or {}
    uid = mappings.get("uid") or {}
    expression = uid.get("expression")
    result: dict[str, Any] = {
        "username": _username(mappings.get("username") or {}, issuer),
        "uid": {"expression": expression} if expression else {"claim": uid.get("claim") or "sub"},
    }
    if groups.get("expression"):
        result["groups"] = {"expression": groups["expression"]}
    elif claim := groups.get("claim"):
        result["groups"] = {"claim": claim, "prefix": groups.get("prefix") or ""}
    if extra := mappings.get("extra"):
        result["extra"] = [
            {"key": item["key"], "valueExpression": item["valueExpression"]} for item in extra
        ]
    return result


def _username(username: Manifest, issuer: str) -> dict[str, str]:
    """Without an opinion, names are prefixed by their issuer unless they are mail addresses."""
    if expression := username.get("expression"):
        return {"expression": expression}
    claim = username.get("claim") or "sub"
    match username.get("prefixPolicy") or "":
        case "Prefix":
            prefix = (username.get("prefix") or {}).get("prefixString") or ""
        case "NoPrefix":
            prefix = ""
        case _:
            prefix = "" if claim == "email" else f"{issuer}#"
    return {"claim": claim, "prefix": prefix}


def _rule(rule: Manifest) -> dict[str, str]:
    if (rule.get("cel") or {}).get("expression"):
        return _expression(rule["cel"])
    required = rule.get("requiredClaim") or {}
    return {"claim": required.get("claim", ""), "requiredValue": required.get("requiredValue", "")}


def _expression(rule: Manifest) -> dict[str, str]:
    message = rule.get("message")
    return {"expression": rule["expression"], **({"message": message} if message else {})}
