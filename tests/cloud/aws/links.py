"""Private links as AWS keeps them; moto takes every service and every endpoint.

- CreateVpcEndpointServiceConfiguration: a load balancer has one service.
- CreateVpcEndpoint: the service of an interface endpoint of ours has to be there.
- DescribeVpcEndpointServiceConfigurations: filters by name count.
- DeleteVpcEndpointServiceConfigurations: one with connections stays.
- DescribeVpcEndpointConnections, RejectVpcEndpointConnections: those of live endpoints.
- DeleteSecurityGroup: one that an endpoint has stays.
"""

from collections.abc import Callable, Iterator
from typing import Any

from moto.ec2.models import ec2_backends

_PRIVATE = "com.amazonaws.vpce."
#: An endpoint whose connection was rejected counts as one that ended.
REJECTED = "rejected"


class Refused(Exception):
    """AWS' word for why it does not do a call."""


def answer(action: str, form: dict[str, str]) -> str | None:
    """The body of our answer; None when moto's is right."""
    return ACTIONS[action](form)


def _create_service(form: dict[str, str]) -> None:
    arns = [value for name, value in form.items() if "NetworkLoadBalancerArn" in name]
    if any(arn in each.network_load_balancer_arns for each in _services() for arn in arns):
        raise Refused("InvalidParameter")


def _create_endpoint(form: dict[str, str]) -> None:
    name = form.get("ServiceName", "")
    if name.startswith(_PRIVATE) and name not in {each.service_name for each in _services()}:
        raise Refused("InvalidServiceName")


def _reject(form: dict[str, str]) -> str:
    for endpoint in _connected(form.get("ServiceId", "")):
        if endpoint.id in form.values():
            endpoint.state = REJECTED
    return "<unsuccessful/>"


def _delete_group(form: dict[str, str]) -> None:
    group = form.get("GroupId", "")
    if any(group in each.security_group_ids for each in _endpoints()):
        raise Refused("DependencyViolation")


def _described(form: dict[str, str]) -> str | None:
    if form.get("Filter.1.Name") != "service-name":
        return None
    wanted = {value for name, value in form.items() if name.startswith("Filter.1.Value")}
    items = "".join(
        f"<item><serviceId>{each.id}</serviceId><serviceName>{each.service_name}</serviceName>"
        f"<networkLoadBalancerArnSet>{_arns(each)}</networkLoadBalancerArnSet>"
        f"<tagSet>{_tags(each)}</tagSet></item>"
        for each in _services()
        if each.service_name in wanted
    )
    return f"<serviceConfigurationSet>{items}</serviceConfigurationSet>"


def _arns(service: Any) -> str:
    return "".join(f"<item>{one}</item>" for one in service.network_load_balancer_arns)


def _tags(service: Any) -> str:
    return "".join(
        f"<item><key>{one['key']}</key><value>{one['value']}</value></item>"
        for one in service.get_tags()
    )


def _delete_service(form: dict[str, str]) -> str | None:
    service = form.get("ServiceId.1", "")
    if not list(_connected(service)):
        return None
    error = "<code>ExistingVpcEndpointConnections</code><message>in use</message>"
    item = f"<item><resourceId>{service}</resourceId><error>{error}</error></item>"
    return f"<unsuccessful>{item}</unsuccessful>"


def _connections(form: dict[str, str]) -> str:
    service = form.get("Filter.1.Value.1") or form.get("Filter.1.Value", "")
    items = "".join(
        f"<item><serviceId>{service}</serviceId><vpcEndpointId>{each.id}</vpcEndpointId>"
        f"<vpcEndpointState>{each.state}</vpcEndpointState></item>"
        for each in _connected(service)
    )
    return f"<vpcEndpointConnectionSet>{items}</vpcEndpointConnectionSet>"


def _connected(service: str) -> Iterator[Any]:
    """Yield the endpoints that keep a service."""
    for each in _endpoints():
        if each.service_name.endswith(f".{service}") and each.state not in {"deleted", REJECTED}:
            yield each


def _endpoints() -> Iterator[Any]:
    for backend in _backends():
        yield from (each for each in backend.vpc_end_points.values() if each.state != "deleted")


def _services() -> Iterator[Any]:
    for backend in _backends():
        yield from backend.configurations.values()


def _backends() -> Iterator[Any]:
    for regions in list(ec2_backends.values()):
        yield from list(regions.values())


ACTIONS: dict[str, Callable[[dict[str, str]], str | None]] = {
    "CreateVpcEndpoint": _create_endpoint,
    "CreateVpcEndpointServiceConfiguration": _create_service,
    "DeleteSecurityGroup": _delete_group,
    "DeleteVpcEndpointServiceConfigurations": _delete_service,
    "DescribeVpcEndpointConnections": _connections,
    "DescribeVpcEndpointServiceConfigurations": _described,
    "RejectVpcEndpointConnections": _reject,
}
