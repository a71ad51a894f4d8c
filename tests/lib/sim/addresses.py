"""The addresses of Services: allotted when a Service begins, kept as long as it needs one."""

from ipaddress import IPv4Address

from tests.lib.sim import status

from hypershift.kit import Manifest
from hypershift.kube import Resource, kinds

FIRST, COUNT = IPv4Address("10.96.0.1"), 1 << 20


def addressed(resource: Resource, before: Manifest | None, body: Manifest, number: int) -> Manifest:
    """The object with the address that the server gives it; `number` is never given twice.

    A Service that is made again has another address, as with a real server.
    """
    if resource != kinds.SERVICE:
        return body
    spec, old = body["spec"], ((before or {}).get("spec") or {}).get("clusterIP")
    if spec["type"] == "ExternalName":
        spec.pop("clusterIP", None)
        spec.pop("clusterIPs", None)
        return body
    if old and spec.setdefault("clusterIP", old) != old:
        why = f'Invalid value: ["{spec["clusterIP"]}"]: may not change once set'
        raise status.invalid(resource, body["metadata"]["name"], "spec.clusterIPs[0]", why)
    spec.setdefault("clusterIP", str(FIRST + number % COUNT))
    spec["clusterIPs"] = [spec["clusterIP"]]
    return body
