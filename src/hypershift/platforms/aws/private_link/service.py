"""The endpoint service before a load balancer of the management cluster.

Every call may have been made before by a pass whose answer was lost: what is there is found. The
operator's keys reach the services of all clusters. A name in a link's status is no proof of whose a
service is: who runs in a control plane namespace may write it. So a service is changed only before
the cluster's own load balancer, and deleted only with the tag that it was made with.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from hypershift.api.annotations import CLUSTER_UID
from hypershift.cloud.aws import AwsRefusal, pages
from hypershift.kit import InvalidSpec, TransientError
from hypershift.platforms.aws.private_link.session import Call

#: The tag with the uid of the HostedCluster that a service was made for.
OWNER: Final = CLUSTER_UID
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
    owner: str = ""


class Lost(TransientError):
    """An endpoint service that was created no longer exists: it is recreated."""


def ensure(aws: Call, wanted: Wanted, known: str) -> str:
    """Make the service where it is missing and let in exactly the principals; its name.

    `known` is the name that the last pass found.
    """
    if known:
        found = _named(aws, known)
        if found is None or wanted.load_balancer not in _balancers(found):
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
    named = {**wanted.tags, OWNER: wanted.owner}
    tags = [{"Key": key, "Value": value} for key, value in sorted(named.items())]
    specification = [{"ResourceType": "vpc-endpoint-service", "Tag": tags}]
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
        return str(found["serviceName"])
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


def _before(aws: Call, arn: str) -> dict[str, Any] | None:
    """The service that a load balancer has already."""
    found = (one for one in _services(aws) if arn in (one.get("networkLoadBalancerArnSet") or ()))
    return next(found, None)


def _named(aws: Call, name: str) -> dict[str, Any] | None:
    filters = [{"Name": "service-name", "Value": [name]}]
    return next(iter(_services(aws, Filter=filters)), None)


def _balancers(service: Mapping[str, Any]) -> set[str]:
    """Names of the load balancers behind a service: arn:...:loadbalancer/net/NAME/ID."""
    arns = [str(each).split("/") for each in service.get("networkLoadBalancerArnSet") or ()]
    return {parts[-2] for parts in arns if len(parts) > 1}


def _is_owned(service: Mapping[str, Any], owner: str) -> bool:
    tags = {str(each.get("key")): each.get("value") for each in service.get("tagSet") or ()}
    return bool(owner) and tags.get(OWNER) == owner


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


def remove(aws: Call, known: str, load_balancer: str, owner: str) -> str:
    """Delete the service; what is waited for, empty once it is gone.

    A service whose name was never written down is found by its load balancer. One of another
    cluster stays.
    """
    if known:
        found = _named(aws, known)
    else:
        balancer = _load_balancer(aws, load_balancer) if load_balancer else None
        found = balancer and _before(aws, str(balancer["LoadBalancerArn"]))
    if not found or not _is_owned(found, owner):
        return ""
    service = id_of(str(found["serviceName"]))
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
