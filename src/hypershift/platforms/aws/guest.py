"""What clusters on AWS hold inside for it."""

from collections.abc import Iterator

from hypershift.api.configuration.ingress import Ingress
from hypershift.api.hosted_control_plane import HostedControlPlaneSpec
from hypershift.api.platforms.aws import AWSPlatform
from hypershift.api.values import Capability, EndpointAccess
from hypershift.kit import InvalidSpec
from hypershift.kit.lines import one_line
from hypershift.platforms.guest import TOKEN_FILE, Credential, GuestFacts, GuestSide, Section

FIELD = "spec.platform.aws.rolesRef"


def credentials(facts: GuestFacts) -> Iterator[Credential]:
    """Files that name a role and the region to ask for it."""
    found = facts.spec.platform.aws
    if found is None:
        return
    roles = found.roles_ref
    for namespace, name, role, capability in (
        ("openshift-cluster-csi-drivers", "ebs-cloud-credentials", roles.storage_arn, None),
        (
            "openshift-ingress-operator",
            "cloud-credentials",
            roles.ingress_arn,
            Capability.INGRESS,
        ),
        (
            "openshift-image-registry",
            "installer-cloud-credentials",
            roles.image_registry_arn,
            Capability.IMAGE_REGISTRY,
        ),
    ):
        text = role_file(role, found.region)
        yield Credential(namespace, name, {"credentials": text.encode()}, capability)


def role_file(role: str, region: str) -> str:
    """The file that names a role and a region, as AWS' libraries read it."""
    if not role:
        raise InvalidSpec("role arn cannot be empty in AssumeRole credentials", field=FIELD)
    if not region:
        raise InvalidSpec(
            "a region must be specified for cross-partition compatibility in AssumeRole"
            " credentials",
            field="spec.platform.aws.region",
        )
    lines = (
        "[default]",
        f"role_arn = {one_line(role, FIELD)}",
        f"web_identity_token_file = {TOKEN_FILE}",
        "sts_regional_endpoints = regional",
        f"region = {one_line(region, 'spec.platform.aws.region')}",
        "",
    )
    return "\n".join(lines)


def _balancer(spec: HostedControlPlaneSpec) -> tuple[AWSPlatform | None, str]:
    """The section, and the type of load balancer that the user asks for."""
    said = (spec.configuration.ingress if spec.configuration else None) or Ingress()
    balancer = said.load_balancer
    chosen = balancer.platform.aws if balancer and balancer.platform else None
    return spec.platform.aws, chosen.type if chosen else ""


def publishing(spec: HostedControlPlaneSpec, scope: str) -> Section:
    """A Classic load balancer, or a Network one where the user asks for it."""
    found: Section = {"type": "LoadBalancerService"}
    if _balancer(spec)[1] == "NLB":
        network = {"type": "NLB", "networkLoadBalancer": {}}
        found["loadBalancer"] = {
            "scope": scope,
            "providerParameters": {"type": "AWS", "aws": network},
        }
    return found


def is_internal(spec: HostedControlPlaneSpec) -> bool:
    """Whether a private cluster chooses its load balancer."""
    platform, chosen = _balancer(spec)
    private = platform is not None and platform.endpoint_access == EndpointAccess.PRIVATE
    return private and bool(chosen)


GUEST = GuestSide(credentials=credentials, publishing=publishing, is_internal=is_internal)
