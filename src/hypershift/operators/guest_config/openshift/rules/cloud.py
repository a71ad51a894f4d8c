"""What the cluster holds for its cloud: credentials, configuration, webhooks of identities."""

from base64 import b64encode
from collections.abc import Iterator

from hypershift.api.platforms.traits import IdentityWebhook, traits_of
from hypershift.kit import Manifest
from hypershift.kit.assets import asset
from hypershift.operators.guest_config.openshift.rules.guest import Guest, secret
from hypershift.operators.guest_config.openshift.rules.operators import REGISTRY

ADMISSION = "admissionregistration.k8s.io/v1"
POLICY = "deny-removed-managementstate"


def credentials(guest: Guest) -> Iterator[Manifest]:
    """Secrets of the operators that act in the cloud."""
    for each in guest.side.credentials(guest.facts):
        if each.capability is None or guest.has_capability(each.capability):
            yield secret(each.name, each.namespace, each.data)


def configuration(guest: Guest) -> Iterator[Manifest]:
    """The cloud's configuration, where programs inside read one."""
    yield from guest.side.cloud_config(guest.facts)


def identities(guest: Guest) -> Iterator[Manifest]:
    """The webhook that gives pods an identity of the cloud: it runs beside the API server."""
    match traits_of(guest.spec.platform.type).identity_webhook:
        case IdentityWebhook() as webhook:
            for manifest in asset(__package__, webhook):
                yield _trusting(manifest, guest.root_ca)
        case None:
            return


def _trusting(manifest: Manifest, root_ca: str) -> Manifest:
    for webhook in manifest.get("webhooks") or ():
        webhook["clientConfig"]["caBundle"] = b64encode(root_ca.encode()).decode()
    return manifest


def nodes(guest: Guest) -> Iterator[Manifest]:
    """The part of the cloud's controller that runs on nodes."""
    image = guest.images.get(guest.side.node_manager, "")
    if not guest.side.node_manager or not image:
        return
    for manifest in asset(__package__, guest.side.node_manager):
        if manifest["kind"] == "DaemonSet":
            manifest["spec"]["template"]["spec"]["containers"][0]["image"] = image
        yield manifest


def registry_policy(guest: Guest) -> Iterator[Manifest]:
    """Where the registry must stay, the policy that keeps users from removing it."""
    if not guest.side.keeps_registry:
        return
    group, _, version = REGISTRY.partition("/")
    rule = {
        "apiGroups": [group],
        "apiVersions": [version],
        "resources": ["configs"],
        "operations": ["CREATE", "UPDATE"],
        "scope": "*",
    }
    validation = {
        "expression": (
            "object.spec.managementState != 'Removed' ||"
            " request.userInfo.username == 'system:hosted-cluster-config'"
        ),
        "message": (
            "Setting managementState to 'Removed' is not allowed in Image Registry config."
        ),
        "reason": "Invalid",
    }
    yield {
        "apiVersion": ADMISSION,
        "kind": "ValidatingAdmissionPolicy",
        "metadata": {"name": POLICY},
        "spec": {
            "failurePolicy": "Fail",
            "matchConstraints": {"resourceRules": [rule], "matchPolicy": "Equivalent"},
            "validations": [validation],
        },
    }
    yield {
        "apiVersion": ADMISSION,
        "kind": "ValidatingAdmissionPolicyBinding",
        "metadata": {"name": f"{POLICY}-binding"},
        "spec": {"policyName": POLICY, "validationActions": ["Deny"]},
    }
