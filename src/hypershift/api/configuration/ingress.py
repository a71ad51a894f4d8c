"""The domain of a cluster's applications and rules for their routes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from hypershift.api.meta import LabelSelector, NameReference
from hypershift.api.shape import Field, Go, Int32, Rule, Shape, Value, immutable


class Ingress(Shape):
    """The cluster's application domain and rules for routes."""

    domain: Annotated[
        str | None,
        Field(
            (
                "Domain of the default ingress controller, `apps.<cluster>.<base domain>` by"
                " default. Immutable."
            ),
            rules=(immutable("domain is immutable once set"),),
            go=Go.ALWAYS,
        ),
    ] = None
    apps_domain: Annotated[
        str | None,
        Field(
            "Domain for new routes instead of `domain`; you provide DNS and certificates for it."
        ),
    ] = None
    component_routes: Annotated[
        tuple[ComponentRoute, ...],
        Field(
            (
                "Names and certificates for routes of the product itself, such as the console; at"
                " most 250."
            ),
            max_items=250,
            list_type="map",
            list_keys=("namespace", "name"),
        ),
    ] = ()
    required_hsts_policies: Annotated[
        tuple[RequiredHSTSPolicy, ...],
        Field(
            "What HSTS headers routes of certain domains must have; the first that matches counts."
        ),
    ] = ()
    load_balancer: Annotated[
        IngressLoadBalancer | None,
        Field("Load balancer for ingress controllers that do not say otherwise."),
    ] = None


class ComponentRoute(Shape):
    """Name and certificate for a route of the product."""

    namespace: Annotated[
        str,
        Field(
            "Namespace of the route.",
            pattern="^[a-z0-9]([-a-z0-9]*[a-z0-9])?$",
            min_length=1,
            max_length=63,
            go=Go.ALWAYS,
        ),
    ]
    name: Annotated[
        str,
        Field(
            "Name of the route, as the product's status lists it.",
            min_length=1,
            max_length=256,
            go=Go.ALWAYS,
        ),
    ]
    hostname: Annotated[
        str,
        Field(
            "Host name to serve it under.",
            pattern=(
                r"^([a-zA-Z0-9\p{S}\p{L}]((-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?)|"
                r"([a-zA-Z0-9\p{S}\p{L}](([a-zA-Z0-9-\p{S}\p{L}]{0,"
                r"61}[a-zA-Z0-9\p{S}\p{L}])?)(\.)){1,}([a-zA-Z\p{L}]){2,63})$|^("
                r"([a-z0-9][-a-z0-9]{0,61}[a-z0-9]|[a-z0-9]{1,63})[\.]){0,}("
                "[a-z0-9][-a-z0-9]{0,61}[a-z0-9]|[a-z0-9]{1,63})$"
            ),
            go=Go.ALWAYS,
        ),
    ]
    serving_cert_key_pair_secret: Annotated[
        NameReference | None,
        Field(
            "Secret of type kubernetes.io/tls for the host name. Unset uses the ingress"
            " controller's certificate."
        ),
    ] = None
    labels: Annotated[
        Mapping[str, str] | None,
        Field(
            "Labels to put on the route, at most 8; reserved prefixes are refused.",
            values=Value(
                min_length=0,
                max_length=63,
                rules=(
                    Rule(
                        (
                            'self == "" ||'
                            " self.matches('^[a-zA-Z0-9]([a-zA-Z0-9._-]*[a-zA-Z0-9])?$')"
                        ),
                        (
                            "label values must be valid Kubernetes label values (at most 63"
                            " characters, alphanumeric, '-', '_', or '.', must start and end with"
                            " alphanumeric)"
                        ),
                    ),
                ),
            ),
            map_type="granular",
            min_properties=1,
            max_properties=8,
            rules=(
                Rule(
                    "self.all(key, key.size() <= 63 && key.size() > 0)",
                    "label keys must be between 1 and 63 characters in length",
                ),
                Rule(
                    (
                        r"self.all(key, key.matches('^([a-z0-9]([a-z0-9\\-]*[a-z0-9])?(\\."
                        r"[a-z0-9]([a-z0-9\\-]*[a-z0-9])?)*\\/)?[a-zA-Z0-9]([a-zA-Z0-9."
                        "_-]*[a-zA-Z0-9])?$') && key.size() <= 253)"
                    ),
                    (
                        "label keys must be valid qualified names, consisting of an optional"
                        " DNS subdomain prefix of up to 253 characters followed by a slash and"
                        " a name segment of 1-63 characters, that consists only of alphanumeric"
                        " characters, dashes, underscores, and dots, and must start and end"
                        " with an alphanumeric character"
                    ),
                ),
                Rule(
                    (
                        "self.all(key, !key.startsWith('kubernetes.io/') &&"
                        " !key.startsWith('k8s.io/') && !key.startsWith('openshift.io/'))"
                    ),
                    (
                        "kubernetes.io/, k8s.io/, and openshift.io/ prefixed label keys are"
                        " reserved and may not be used"
                    ),
                ),
            ),
            gate="IngressComponentRouteLabels",
        ),
    ] = None


class IngressLoadBalancer(Shape):
    """The load balancer of ingress controllers."""

    platform: Annotated[IngressPlatform | None, Field("Platform-specific settings.")] = None


class IngressPlatform(Shape):
    """The load balancer of ingress controllers on a platform."""

    type: Annotated[
        str | None,
        Field(
            "Platform that the settings are for.",
            enum=(
                "",
                "AWS",
                "Azure",
                "BareMetal",
                "GCP",
                "Libvirt",
                "OpenStack",
                "None",
                "VSphere",
                "oVirt",
                "IBMCloud",
                "KubeVirt",
                "EquinixMetal",
                "PowerVS",
                "AlibabaCloud",
                "Nutanix",
                "External",
            ),
            go=Go.ALWAYS,
        ),
    ] = None
    aws: Annotated[
        AWSIngress | None, Field("Settings on AWS; only with `type: AWS`.", go=Go.POINTER)
    ] = None


class AWSIngress(Shape):
    """The load balancer of ingress controllers on AWS."""

    type: Annotated[str, Field("`Classic` or `NLB`.", enum=("NLB", "Classic"), go=Go.ALWAYS)]


class RequiredHSTSPolicy(Shape):
    """What HSTS header certain routes must have."""

    namespace_selector: Annotated[
        LabelSelector | None,
        Field("Namespaces in which the rule applies. Unset means all.", go=Go.POINTER),
    ] = None
    domain_patterns: Annotated[
        tuple[str, ...],
        Field("Domains of the routes, `*.` allowed in front.", min_items=1, go=Go.ALWAYS),
    ]
    max_age: Annotated[HSTSMaxAge | None, Field("Bounds of the header's `max-age`.")] = None
    preload_policy: Annotated[
        str | None,
        Field(
            "Whether the header must, must not or may contain `preload`.",
            enum=("RequirePreload", "RequireNoPreload", "NoOpinion"),
        ),
    ] = None
    include_sub_domains_policy: Annotated[
        str | None,
        Field(
            "Whether the header must, must not or may contain `includeSubDomains`.",
            enum=("RequireIncludeSubDomains", "RequireNoIncludeSubDomains", "NoOpinion"),
        ),
    ] = None


class HSTSMaxAge(Shape):
    """Bounds of an HSTS header's `max-age`."""

    largest_max_age: Annotated[
        Int32 | None,
        Field(
            "Most seconds allowed, 0 to 2147483647. Unset means no upper bound.",
            minimum=0,
            maximum=2147483647,
            go=Go.POINTER,
        ),
    ] = None
    smallest_max_age: Annotated[
        Int32 | None,
        Field(
            (
                "Fewest seconds allowed, 0 to 2147483647. Unset means no lower bound; 0 allows"
                " switching HSTS off."
            ),
            minimum=0,
            maximum=2147483647,
            go=Go.POINTER,
        ),
    ] = None
