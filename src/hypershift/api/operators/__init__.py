"""Settings for operators that run in the hosted cluster."""

from hypershift.api.operators.aws_load_balancer import (
    AWSLoadBalancer,
    AWSSubnets,
    ClassicLoadBalancer,
    NetworkLoadBalancer,
)
from hypershift.api.operators.configuration import OperatorConfiguration, VersionOperator
from hypershift.api.operators.ingress import (
    EndpointPublishingStrategy,
    HostNetworkEndpoint,
    IngressOperator,
)
from hypershift.api.operators.load_balancer import (
    GCPLoadBalancer,
    LoadBalancerEndpoint,
    OpenStackLoadBalancer,
    ProviderParameters,
    ProxyProtocol,
)
from hypershift.api.operators.network import NetworkOperator, OVNIPv4, OVNIPv6, OVNKubernetes

__all__ = [
    "AWSLoadBalancer",
    "AWSSubnets",
    "ClassicLoadBalancer",
    "EndpointPublishingStrategy",
    "GCPLoadBalancer",
    "HostNetworkEndpoint",
    "IngressOperator",
    "LoadBalancerEndpoint",
    "NetworkLoadBalancer",
    "NetworkOperator",
    "OVNIPv4",
    "OVNIPv6",
    "OVNKubernetes",
    "OpenStackLoadBalancer",
    "OperatorConfiguration",
    "ProviderParameters",
    "ProxyProtocol",
    "VersionOperator",
]
