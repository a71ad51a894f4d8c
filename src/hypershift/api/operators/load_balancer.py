"""The load balancer in front of an ingress controller."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.operators.aws_load_balancer import AWSLoadBalancer
from hypershift.api.shape import Field, Rule, Shape, Value, constrained


@constrained(
    Rule(
        (
            "!has(self.scope) || self.scope != 'Internal' ||"
            " !has(self.providerParameters) || !has(self.providerParameters.aws) ||"
            " !has(self.providerParameters.aws.networkLoadBalancer) || !has(self."
            "providerParameters.aws.networkLoadBalancer.eipAllocations)"
        ),
        "eipAllocations are forbidden when the scope is Internal.",
    ),
    Rule(
        (
            "!has(self.scope) || self.scope != 'Internal' ||"
            " !has(self.providerParameters) ||"
            " !has(self.providerParameters.openstack) ||"
            " !has(self.providerParameters.openstack.floatingIP) ||"
            ' self.providerParameters.openstack.floatingIP == ""'
        ),
        "cannot specify a floating ip when scope is internal",
    ),
)
class LoadBalancerEndpoint(Shape):
    """A load balancer in front of an ingress controller."""

    scope: Annotated[
        str,
        Field(
            (
                "`External` can be reached from the Internet, `Internal` from the cloud network"
                " only. A change may replace the load balancer."
            ),
            enum=("Internal", "External"),
        ),
    ]
    allowed_source_ranges: Annotated[
        tuple[str, ...] | None,
        Field(
            "Ranges of client addresses that may connect. Unset or null admits all.",
            items=Value(
                pattern=(
                    r"(^(([0-9]|[0-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])\.){3}([0-9]|"
                    "[0-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])/([0-9]|[12][0-9]|"
                    "3[0-2])$)|(^s*((([0-9A-Fa-f]{1,4}:){7}([0-9A-Fa-f]{1,4}|:))|(("
                    "[0-9A-Fa-f]{1,4}:){6}(:[0-9A-Fa-f]{1,4}|((25[0-5]|2[0-4]d|1dd|"
                    "[1-9]?d)(.(25[0-5]|2[0-4]d|1dd|[1-9]?d)){3})|:))|(([0-9A-Fa-f]{1,"
                    "4}:){5}(((:[0-9A-Fa-f]{1,4}){1,2})|:((25[0-5]|2[0-4]d|1dd|[1-9]?d)(.("
                    "25[0-5]|2[0-4]d|1dd|[1-9]?d)){3})|:))|(([0-9A-Fa-f]{1,4}:){4}((("
                    ":[0-9A-Fa-f]{1,4}){1,3})|((:[0-9A-Fa-f]{1,4})?:((25[0-5]|2[0-4]d|1dd|"
                    "[1-9]?d)(.(25[0-5]|2[0-4]d|1dd|[1-9]?d)){3}))|:))|(([0-9A-Fa-f]{1,"
                    "4}:){3}(((:[0-9A-Fa-f]{1,4}){1,4})|((:[0-9A-Fa-f]{1,4}){0,2}:("
                    "(25[0-5]|2[0-4]d|1dd|[1-9]?d)(.(25[0-5]|2[0-4]d|1dd|[1-9]?d)){3}))|"
                    ":))|(([0-9A-Fa-f]{1,4}:){2}(((:[0-9A-Fa-f]{1,4}){1,5})|(("
                    ":[0-9A-Fa-f]{1,4}){0,3}:((25[0-5]|2[0-4]d|1dd|[1-9]?d)(.(25[0-5]|"
                    "2[0-4]d|1dd|[1-9]?d)){3}))|:))|(([0-9A-Fa-f]{1,4}:){1}((("
                    ":[0-9A-Fa-f]{1,4}){1,6})|((:[0-9A-Fa-f]{1,4}){0,4}:((25[0-5]|2[0-4]d|"
                    "1dd|[1-9]?d)(.(25[0-5]|2[0-4]d|1dd|[1-9]?d)){3}))|:))|(:((("
                    ":[0-9A-Fa-f]{1,4}){1,7})|((:[0-9A-Fa-f]{1,4}){0,5}:((25[0-5]|2[0-4]d|"
                    r"1dd|[1-9]?d)(.(25[0-5]|2[0-4]d|1dd|[1-9]?d)){3}))|:)))(%.+)?s*(\/"
                    "(12[0-8]|1[0-1][0-9]|[1-9][0-9]|[0-9]))$)"
                )
            ),
            list_type="atomic",
            nullable=True,
        ),
    ] = None
    dns_management_policy: Annotated[
        str,
        Field(
            (
                "`Managed` keeps the wildcard DNS record for the load balancer, `Unmanaged`"
                " leaves it to you. Default Managed."
            ),
            enum=("Managed", "Unmanaged"),
            required=True,
        ),
    ] = "Managed"
    provider_parameters: Annotated[
        ProviderParameters | None, Field("Settings of the cloud's load balancer.")
    ] = None


@constrained(
    Rule(
        "has(self.type) && self.type == 'OpenStack' ? true : !has(self.openstack)",
        "openstack is not permitted when type is not OpenStack",
    ),
)
class ProviderParameters(Shape):
    """Cloud-specific settings of a load balancer."""

    type: Annotated[
        str,
        Field(
            "Infrastructure that provides the load balancer.",
            enum=("AWS", "Azure", "BareMetal", "GCP", "Nutanix", "OpenStack", "VSphere", "IBM"),
        ),
    ]
    aws: Annotated[AWSLoadBalancer | None, Field("Settings on AWS; only with `type: AWS`.")] = None
    gcp: Annotated[
        GCPLoadBalancer | None, Field("Settings on Google Cloud; only with `type: GCP`.")
    ] = None
    ibm: Annotated[ProxyProtocol | None, Field("Settings on IBM Cloud; only with `type: IBM`.")] = (
        None
    )
    openstack: Annotated[
        OpenStackLoadBalancer | None, Field("Settings on OpenStack; only with `type: OpenStack`.")
    ] = None


class GCPLoadBalancer(Shape):
    """A load balancer on Google Cloud."""

    client_access: Annotated[
        str | None,
        Field(
            (
                "For scope Internal: `Global` admits clients from all regions of the network,"
                " `Local` from the same region. Default Local."
            ),
            enum=("Global", "Local"),
        ),
    ] = None


class ProxyProtocol(Shape):
    """Which protocol clients speak to an ingress controller."""

    protocol: Annotated[
        str | None,
        Field(
            (
                "`TCP`, or `PROXY` when a load balancer in front speaks the PROXY protocol."
                " Default TCP."
            ),
            enum=("", "TCP", "PROXY"),
        ),
    ] = None


class OpenStackLoadBalancer(Shape):
    """A load balancer on OpenStack."""

    floating_ip: Annotated[
        str | None,
        Field(
            (
                "Floating IP address, already allocated, for the load balancer. Default:"
                " OpenStack picks one."
            ),
            rules=(Rule("isIP(self)", "floatingIP must be a valid IPv4 or IPv6 address"),),
        ),
    ] = None
