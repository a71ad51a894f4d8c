"""How the claims of a token become a user, and which tokens are refused."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.rules import ONE_SOURCE
from hypershift.api.shape import Field, Go, Rule, Shape, constrained, members
from hypershift.api.values import PrefixPolicy


class ClaimMappings(Shape):
    """How a token's claims become a user."""

    username: Annotated[UsernameMapping, Field("Which claim holds the user name.")]
    groups: Annotated[GroupsMapping | None, Field("Which claim holds the groups.")] = None
    uid: Annotated[
        UIDMapping | None,
        Field("Which claim holds the user's unique id. Default: `sub`.", go=Go.POINTER),
    ] = None
    extra: Annotated[
        tuple[ExtraMapping, ...],
        Field(
            "Further facts about the user, at most 32.",
            max_items=32,
            list_type="map",
            list_keys=("key",),
        ),
    ] = ()


class ExtraMapping(Shape):
    """A further fact about the user."""

    key: Annotated[
        str,
        Field(
            (
                "Name of the fact, `domain/path`; the domains of Kubernetes and OpenShift are"
                " reserved."
            ),
            min_length=1,
            max_length=510,
            rules=(
                Rule("self.contains('/')", "key must contain the '/' character"),
                Rule(
                    (
                        "self.split('/', 2)[0].matches(\"^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\\\."
                        '[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$")'
                    ),
                    (
                        "the domain of the key must consist of only lower case alphanumeric"
                        " characters, '-' or '.', and must start and end with an alphanumeric"
                        " character"
                    ),
                ),
                Rule(
                    "self.split('/', 2)[0].size() <= 253",
                    "the domain of the key must not exceed 253 characters in length",
                ),
                Rule(
                    "self.split('/', 2)[0] != 'kubernetes.io'",
                    "the domain 'kubernetes.io' is reserved for Kubernetes use",
                ),
                Rule(
                    "!self.split('/', 2)[0].endsWith('.kubernetes.io')",
                    "the subdomains '*.kubernetes.io' are reserved for Kubernetes use",
                ),
                Rule(
                    "self.split('/', 2)[0] != 'k8s.io'",
                    "the domain 'k8s.io' is reserved for Kubernetes use",
                ),
                Rule(
                    "!self.split('/', 2)[0].endsWith('.k8s.io')",
                    "the subdomains '*.k8s.io' are reserved for Kubernetes use",
                ),
                Rule(
                    "self.split('/', 2)[0] != 'openshift.io'",
                    "the domain 'openshift.io' is reserved for OpenShift use",
                ),
                Rule(
                    "!self.split('/', 2)[0].endsWith('.openshift.io')",
                    "the subdomains '*.openshift.io' are reserved for OpenShift use",
                ),
                Rule(
                    r"self.split('/', 2)[1].matches('[A-Za-z0-9/\\-._~%!$&\'()*+;=:]+')",
                    (
                        "the path of the key must not be empty and must consist of at least one"
                        " alphanumeric character, percent-encoded octets, apostrophe, '-', '.',"
                        " '_', '~', '!', '$', '&', '(', ')', '*', '+', ',', ';', '=', and ':'"
                    ),
                ),
                Rule(
                    "self.split('/', 2)[1].size() <= 256",
                    "the path of the key must not exceed 256 characters in length",
                ),
            ),
            go=Go.ALWAYS,
        ),
    ]
    value_expression: Annotated[
        str,
        Field(
            "CEL expression over `claims` that gives a string or a list of strings.",
            min_length=1,
            max_length=1024,
            go=Go.ALWAYS,
        ),
    ]


@constrained(
    Rule(
        (
            "has(self.expression) && size(self.expression) > 0 ? (!has(self.prefix)"
            " || size(self.prefix) == 0) : true"
        ),
        "prefix must not be set to a non-empty value when expression is set",
    ),
    Rule(
        '(size(self.?claim.orValue("")) > 0) ? !has(self.expression) : true',
        "expression must not be set if claim is specified and is not an empty string",
    ),
)
class GroupsMapping(Shape):
    """Where a token names the user's groups."""

    claim: Annotated[
        str | None,
        Field(
            "Claim with the list of groups. Not together with `expression`.",
            max_length=256,
            go=Go.ALWAYS,
        ),
    ] = None
    expression: Annotated[
        str | None,
        Field(
            "CEL expression over `claims` that gives the groups. Not together with `claim`.",
            min_length=1,
            max_length=1024,
        ),
    ] = None
    prefix: Annotated[
        str | None,
        Field(
            "Put in front of each group, to keep them apart from others. Not with `expression`.",
            go=Go.ALWAYS,
        ),
    ] = None


@constrained(
    ONE_SOURCE,
)
class UIDMapping(Shape):
    """Where a token names the user's unique id."""

    claim: Annotated[
        str | None,
        Field("Claim with the id. Not together with `expression`.", min_length=1, max_length=256),
    ] = None
    expression: Annotated[
        str | None,
        Field(
            "CEL expression over `claims` that gives the id. Not together with `claim`.",
            min_length=1,
            max_length=1024,
        ),
    ] = None


@constrained(
    ONE_SOURCE,
    Rule(
        (
            "has(self.expression) && size(self.expression) > 0 ?"
            " !has(self.prefixPolicy) || self.prefixPolicy != 'Prefix' : true"
        ),
        "prefixPolicy must not be set to 'Prefix' when expression is set",
    ),
    Rule(
        (
            "has(self.prefixPolicy) && self.prefixPolicy == 'Prefix' ?"
            " (has(self.prefix) && size(self.prefix.prefixString) > 0) :"
            " !has(self.prefix)"
        ),
        "prefix must be set if prefixPolicy is 'Prefix', but must remain unset otherwise",
    ),
)
class UsernameMapping(Shape):
    """Where a token names the user."""

    claim: Annotated[
        str | None,
        Field("Claim with the name. Not together with `expression`.", min_length=1, max_length=256),
    ] = None
    expression: Annotated[
        str | None,
        Field(
            "CEL expression over `claims` that gives the name. Not together with `claim`.",
            min_length=1,
            max_length=1024,
        ),
    ] = None
    prefix_policy: Annotated[
        str | None,
        Field(
            (
                "`Prefix` puts `prefix` in front, `NoPrefix` nothing. Empty puts the issuer in"
                " front unless the claim is `email`."
            ),
            enum=("", *members(PrefixPolicy)),
            go=Go.ALWAYS,
        ),
    ] = None
    prefix: Annotated[
        UsernamePrefix | None,
        Field("Text in front of the name; required with `prefixPolicy: Prefix`.", go=Go.NULL),
    ] = None


class UsernamePrefix(Shape):
    """Text in front of a user name."""

    prefix_string: Annotated[str, Field("The text; not empty.", min_length=1, go=Go.ALWAYS)]


@constrained(
    Rule(
        "has(self.type) && self.type == 'CEL' ? has(self.cel) : !has(self.cel)",
        "cel must be set when type is 'CEL', and forbidden otherwise",
    ),
    Rule(
        (
            "has(self.type) && self.type == 'RequiredClaim' ?"
            " has(self.requiredClaim) : !has(self.requiredClaim)"
        ),
        "requiredClaim must be set when type is 'RequiredClaim', and forbidden otherwise",
    ),
)
class ClaimValidationRule(Shape):
    """Something a token must state."""

    type: Annotated[str, Field("Kind of rule.", enum=("RequiredClaim", "CEL"), go=Go.ALWAYS)]
    required_claim: Annotated[
        RequiredClaim | None,
        Field(
            "Claim and value that must be there; only with `type: RequiredClaim`.", go=Go.POINTER
        ),
    ] = None
    cel: Annotated[
        TokenExpression | None,
        Field("Expression that must hold; only with `type: CEL`.", go=Go.OMIT_ZERO),
    ] = None


class TokenExpression(Shape):
    """A CEL expression that must hold."""

    expression: Annotated[
        str, Field("Expression that gives true or false.", min_length=1, max_length=1024)
    ]
    message: Annotated[str, Field("What the refused user is told.", min_length=1, max_length=256)]


class RequiredClaim(Shape):
    """A claim that must have a certain value."""

    claim: Annotated[str, Field("Name of the claim.", min_length=1, go=Go.ALWAYS)]
    required_value: Annotated[str, Field("Value it must have.", min_length=1, go=Go.ALWAYS)]
