"""The endpoint service before a load balancer of the management cluster.

Every call may have been made before by a pass whose answer was lost: what is there is found.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from hypershift.cloud.aws import AwsRefusal, pages
from hypershift.kit import InvalidSpec, TransientError
from hypershift.platforms.aws.private_link.session import Call

#: What AWS says of a load balancer that has an endpoint service already.
_TAKEN = {"InvalidParameter", "InvalidParameterValue"}
_GONE = "InvalidVpcEndpointService.NotFound"
_CONNECTED = "ExistingVpcEndpointConnections"
#: States of connections that can be rejected; others end by themselves.
_OPEN = {"pendingacceptance", "pending", "available"}


@dataclass(frozen=True)
class Wanted:
    """The wanted endpoint service."""

    load_balancer: str
    principals: frozenset[str]
    tags: Mapping[str, str] = field(default_factory=dict)


class Lost(TransientError):
    """An endpoint service that was made is not there any more: it is made anew."""


def ensure(aws: Call, wanted: Wanted, known: str) -> str:
    """Make the service where it is missing and let in exactly the principals; its name.

    `known` is the name that the last pass found.
    """
    if known:
        filters = [{"Name": "service-name", "Value": [known]}]
        if not any(True for _ in _services(aws, Filter=filters)):
            raise Lost(f"endpoint service {known} not found, resetting status")
        name = known
    else:
        name = _create(aws, wanted)
    _let_in(aws, id_of(name), wanted.principals)
    return name


def _create(aws: Call, wanted: Wanted) -> str:
    balancer = _load_balancer(aws, wanted.load_balancer)
    if balancer is None:
        raise TransientError(f"load balancer {wanted.load_balancer} not found")
    arn = str(balancer["LoadBalancerArn"])
    if (balancer.get("State") or {}).get("Code") != "active":
        raise TransientError(f"load balancer {arn} is not yet active")
    tags = [{"Key": key, "Value": value} for key, value in sorted(wanted.tags.items())]
    specification = [{"ResourceType": "vpc-endpoint-service", "Tag": tags}] if tags else []
    try:
        answer = aws(
            "ec2",
            "CreateVpcEndpointServiceConfiguration",
            AcceptanceRequired=False,
            NetworkLoadBalancerArn=[arn],
            TagSpecification=specification,
        )
    except AwsRefusal as error:
        found = _before(aws, arn) if error.code in _TAKEN else None
        if found is None:
            raise
        return found
    return str(answer["serviceConfiguration"]["serviceName"])


def _load_balancer(aws: Call, name: str) -> dict[str, Any] | None:
    try:
        answer = aws("elasticloadbalancing", "DescribeLoadBalancers", Names={"member": [name]})
    except AwsRefusal as error:
        if error.code == "LoadBalancerNotFound":
            return None
        raise
    found = (answer.get("DescribeLoadBalancersResult") or {}).get("LoadBalancers") or []
    return found[0] if found else None


def _before(aws: Call, arn: str) -> str | None:
    """The name of the service that a load balancer has already."""
    for each in _services(aws):
        if arn in (each.get("networkLoadBalancerArnSet") or ()):
            return str(each["serviceName"])
    return None


def _services(aws: Call, **request: Any) -> Iterable[dict[str, Any]]:
    action, key = "DescribeVpcEndpointServiceConfigurations", "serviceConfigurationSet"
    return pages(aws, "ec2", action, key, **request)


def _let_in(aws: Call, service: str, wanted: frozenset[str]) -> None:
    action, key = "DescribeVpcEndpointServicePermissions", "allowedPrincipals"
    found = {str(each["principal"]) for each in pages(aws, "ec2", action, key, ServiceId=service)}
    if found == wanted:
        return
    changes: dict[str, Any] = {}
    if added := sorted(wanted - found):
        changes["AddAllowedPrincipals"] = added
    if removed := sorted(found - wanted):
        changes["RemoveAllowedPrincipals"] = removed
    aws("ec2", "ModifyVpcEndpointServicePermissions", ServiceId=service, **changes)


def remove(aws: Call, known: str, load_balancer: str) -> str:
    """Delete the service; what is waited for, empty once it is gone.

    A service whose name was never written down is found by its load balancer.
    """
    if not known:
        balancer = _load_balancer(aws, load_balancer) if load_balancer else None
        known = (balancer and _before(aws, str(balancer["LoadBalancerArn"]))) or ""
    if not known:
        return ""
    service = id_of(known)
    answer = aws("ec2", "DeleteVpcEndpointServiceConfigurations", ServiceId=[service])
    failed = answer.get("unsuccessful") or []
    error = (failed[0].get("error") or {}) if failed else {}
    match error.get("code"):
        case None | "" if not failed:
            return ""
        case code if code == _GONE:
            return ""
        case code if code == _CONNECTED:
            _reject(aws, service)
            return f"connections to endpoint service {service}"
        case code:
            return f"endpoint service {service}: {code}"


def _reject(aws: Call, service: str) -> None:
    action, key = "DescribeVpcEndpointConnections", "vpcEndpointConnectionSet"
    filters = [{"Name": "service-id", "Value": [service]}]
    found = list(pages(aws, "ec2", action, key, Filter=filters))
    opened = [
        str(each["vpcEndpointId"])
        for each in found
        if str(each.get("vpcEndpointState", "")).lower() in _OPEN
    ]
    if opened:
        request = {"ServiceId": service, "VpcEndpointId": sorted(opened)}
        aws("ec2", "RejectVpcEndpointConnections", **request)


def id_of(name: str) -> str:
    """The id in a service's name: com.amazonaws.vpce.us-west-1.vpce-svc-014f44db649a87c02."""
    return name.rpartition(".")[2]


def principal(role: str) -> str:
    """A role as a principal that may connect: without the path in its name."""
    parts = role.split(":", 5)
    if len(parts) != 6 or parts[0] != "arn" or not parts[5].startswith("role/"):  # noqa: PLR2004
        raise InvalidSpec(f"{role[:80]!r} is not the ARN of a role", field="spec.platform.aws")
    name = parts[5].rpartition("/")[2]
    return f"arn:{parts[1]}:{parts[2]}::{parts[4]}:role/{name}"
