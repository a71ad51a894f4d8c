"""Policies that keep users inside from editing what the HostedCluster says."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from hypershift.api import labels
from hypershift.api.values import Capability
from hypershift.kit import Manifest
from hypershift.operators.guest_config.openshift.rules.guest import GROUP, Guest

#: Our own identities, and the one that makes the first objects of a cluster.
WRITERS = ("system:hosted-cluster-config", "system:kas-bootstrap-container")
NETWORK_OPERATOR = "system:serviceaccount:openshift-network-operator:cluster-network-operator"
UNCHANGED = "has(object.spec) && has(oldObject.spec) && object.spec == oldObject.spec"
MESSAGE = (
    "This resource cannot be created, updated, or deleted. Please ask your administrator to modify"
    " the resource in the HostedCluster object."
)
CHANGES, ALL = ("UPDATE", "DELETE"), ("*",)
ADMISSION = "admissionregistration.k8s.io/v1"


@dataclass(frozen=True, slots=True)
class Policy:
    """One policy: which resources, which operations, and who may act all the same."""

    name: str
    group: str
    version: str
    resources: Sequence[str]
    operations: Sequence[str] = CHANGES
    writers: Sequence[str] = WRITERS
    selector: Manifest = field(default_factory=dict)


def policies(guest: Guest) -> Iterator[Policy]:
    """The policies of one cluster."""
    hub = ("operatorhubs",) if guest.catalogs_beside else ()
    ingresses = ("ingresses",) if guest.has_capability(Capability.INGRESS) else ()
    configured = (
        *("apiservers", "authentications", "featuregates", "images", "imagecontentpolicies"),
        *("proxies", "schedulers", "networks", "oauths"),
    )
    yield Policy("config", GROUP, "v1", (*configured, *ingresses, *hub))
    yield Policy("mirror", GROUP, "v1", ("imagedigestmirrorsets", "imagetagmirrorsets", *hub), ALL)
    yield Policy("icsp", "operator.openshift.io", "v1alpha1", ("imagecontentsourcepolicies",), ALL)
    yield Policy("infra", GROUP, "v1", ("infrastructures",), writers=(*WRITERS, NETWORK_OPERATOR))
    # The original asks for ConfigMaps of another group, which matches none.
    yield Policy(
        "ntomirroredconfigmaps",
        "",
        "v1",
        ("configmaps",),
        selector={"matchLabels": {labels.MIRRORED_CONFIG: "true"}},
    )


def manifests(guest: Guest) -> Iterator[Manifest]:
    """Every policy with its binding."""
    for policy in policies(guest):
        yield _policy(policy)
        yield _binding(policy)


def _policy(policy: Policy) -> Manifest:
    rule = {
        "apiGroups": [policy.group],
        "apiVersions": [policy.version],
        "resources": list(policy.resources),
        "operations": list(policy.operations),
        "scope": "*",
    }
    constraints: Manifest = {"resourceRules": [rule], "matchPolicy": "Equivalent"}
    if policy.selector:
        constraints["objectSelector"] = policy.selector
    named = ", ".join(f"'{writer}'" for writer in policy.writers)
    expression = f"request.userInfo.username in [{named}] || ({UNCHANGED})"
    validation = {"expression": expression, "message": MESSAGE, "reason": "Invalid"}
    return {
        "apiVersion": ADMISSION,
        "kind": "ValidatingAdmissionPolicy",
        "metadata": {"name": policy.name},
        "spec": {
            "failurePolicy": "Fail",
            "matchConstraints": constraints,
            "validations": [validation],
        },
    }


def _binding(policy: Policy) -> Manifest:
    return {
        "apiVersion": ADMISSION,
        "kind": "ValidatingAdmissionPolicyBinding",
        "metadata": {"name": f"{policy.name}-binding"},
        "spec": {"policyName": policy.name, "validationActions": ["Deny"]},
    }
