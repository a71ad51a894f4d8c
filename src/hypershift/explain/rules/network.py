"""What cannot be reached: policies of others, Services without an address, the published API."""

from collections.abc import Iterable, Iterator

from hypershift.api.conditions import ControlPlaneCondition, ControlPlaneReason
from hypershift.explain.finding import Finding, Ref, ref
from hypershift.explain.picture import Picture, condition, holds, message_of
from hypershift.kit import Manifest, labels_of
from hypershift.kube import kinds
from hypershift.kube.services import load_balancer_ingress

#: Field managers of ours begin with these; who else wrote a policy did not know what we need.
OURS = ("hypershift", "hostedcluster", "hostedcontrolplane", "control-plane-operator")


def policies(picture: Picture) -> Iterator[Finding]:
    """Policies that we did not write and that cut pods off which are not well."""
    for namespace in (picture.namespace, picture.operator_namespace):
        for policy in picture.of(kinds.NETWORK_POLICY, namespace):
            if _is_ours(policy):
                continue
            selected = [pod for pod in picture.of(kinds.POD, namespace) if _selects(policy, pod)]
            if cut := _cut(policy):
                names = sorted({_app(pod) for pod in selected})
                yield Finding(
                    ref(policy),
                    f"it is not HyperShift's, and cuts {', '.join(names) or 'no pod'} off "
                    f"({cut}) from what the control plane needs",
                    f"remove it, or allow what is needed: kubectl edit {ref(policy).words}",
                )


def _is_ours(policy: Manifest) -> bool:
    managers = [each.get("manager", "") for each in policy["metadata"].get("managedFields") or ()]
    return any(manager.startswith(OURS) for manager in managers)


def _cut(policy: Manifest) -> str:
    spec = policy["spec"]
    kinds_of = spec.get("policyTypes") or ["Ingress"]
    lacking = []
    if "Ingress" in kinds_of and not spec.get("ingress"):
        lacking.append("no ingress is allowed")
    if "Egress" in kinds_of and not _open(spec.get("egress") or ()):
        lacking.append("little or no egress is allowed")
    return ", ".join(lacking)


def _open(rules: Iterable[Manifest]) -> bool:
    """Whether one of the rules lets everything out."""
    return any(not rule for rule in rules)


def _selects(policy: Manifest, pod: Manifest) -> bool:
    selector = policy["spec"].get("podSelector") or {}
    labels = labels_of(pod)
    if not all(
        labels.get(key) == value for key, value in (selector.get("matchLabels") or {}).items()
    ):
        return False
    return all(_expression(each, labels) for each in selector.get("matchExpressions") or ())


def _expression(each: Manifest, labels: dict[str, str]) -> bool:
    value = labels.get(each["key"])
    match each["operator"]:
        case "In":
            return value in each["values"]
        case "NotIn":
            return value not in each["values"]
        case "Exists":
            return value is not None
        case _:
            return value is None


def _app(pod: Manifest) -> str:
    return labels_of(pod).get("app") or str(pod["metadata"]["name"])


def services(picture: Picture) -> Iterator[Finding]:
    """Services of type LoadBalancer that got no address."""
    for namespace in (picture.namespace, picture.operator_namespace):
        for service in picture.of(kinds.SERVICE, namespace):
            waits = service["spec"].get("type") == "LoadBalancer" and picture.is_old(service)
            if waits and not load_balancer_ingress(service):
                yield Finding(
                    ref(service),
                    "no load balancer gave it an address",
                    f"does this cluster have load balancers? kubectl describe {ref(service).words}",
                )


def endpoint(picture: Picture) -> Iterator[Finding]:
    """The API server runs, and its published address does not answer."""
    control_plane = next(iter(picture.of(kinds.HOSTED_CONTROL_PLANE)), None)
    found = condition(control_plane, ControlPlaneCondition.AVAILABLE)
    if found.get("reason") == ControlPlaneReason.LOAD_BALANCER_NOT_REACHABLE:
        yield Finding(
            Ref("Service", "kube-apiserver", picture.namespace),
            f"the API server runs, but its published address does not answer: {message_of(found)}",
            "look at the load balancer, firewalls and spec.networking.apiServer."
            "allowedCIDRBlocks: kubectl describe service kube-apiserver -n " + picture.namespace,
        )
    elif picture.guest_error and holds(control_plane, ControlPlaneCondition.AVAILABLE):
        yield Finding(
            Ref("Service", "kube-apiserver", picture.namespace),
            f"the hosted API does not answer from here: {picture.guest_error}",
            "can this machine reach the address of the kubeconfig? "
            "spec.networking.apiServer.allowedCIDRBlocks may leave it out",
        )
