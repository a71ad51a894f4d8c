"""The roles that a user wants on AWS: who may take each, and what it may do."""

from collections.abc import Iterator
from dataclasses import dataclass

from hypershift.infra.aws.roles import karpenter, policies
from hypershift.infra.aws.roles.policies import Document
from hypershift.kit import UsageError

MANAGED = "arn:aws:iam::aws:policy/service-role"
ROSA_TAGS = (("red-hat-managed", "true"), ("red-hat-clustertype", "rosa"))
_ACCOUNT = "system:serviceaccount"


@dataclass(frozen=True, slots=True)
class Binding:
    """One component: its field of the description, its service accounts and its permissions."""

    field: str
    name: str
    accounts: tuple[str, ...]
    policy: Document
    #: ROSA's policy of the same permissions; empty where it has none.
    managed: str
    assumes: bool = False


@dataclass(frozen=True, slots=True)
class WantedRoles:
    """A cluster's identities on AWS, as the command line asks for them."""

    infra_id: str
    region: str
    issuer: str
    public_zone: str
    private_zone: str
    local_zone: str
    #: Whether the issuer and its provider are the user's own.
    own_issuer: bool = False
    base_domain: str = ""
    kms_key: str = ""
    tags: tuple[tuple[str, str], ...] = ()
    one_role: bool = False
    rosa: bool = False
    shared_vpc: bool = False
    zones_in_cluster_account: bool = False
    #: Whether Karpenter shall make nodes.
    auto_node: bool = False

    @property
    def provider(self) -> str:
        """The end of the provider's ARN: the issuer without its scheme."""
        return self.issuer.removeprefix("https://")

    @property
    def profile(self) -> str:
        return f"{self.infra_id}-worker"

    @property
    def worker_role(self) -> str:
        return f"{self.profile}-{'ROSA-Worker-Role' if self.rosa else 'role'}"

    def role(self, binding: str) -> str:
        return f"{self.infra_id}-{'shared-role' if self.one_role else binding}"

    def tagged(self) -> list[dict[str, str]]:
        pairs = dict((*self.tags, *(ROSA_TAGS if self.rosa else ())))
        return [{"Key": key, "Value": value} for key, value in pairs.items()]


def issuer_of_bucket(bucket: str, region: str, infra_id: str) -> str:
    return f"https://{bucket}.s3.{region}.amazonaws.com/{infra_id}"


def bindings(wanted: WantedRoles) -> Iterator[Binding]:
    """The components that need a role."""
    shared = wanted.shared_vpc
    yield Binding(
        "ingressARN",
        "openshift-ingress",
        (f"{_ACCOUNT}:openshift-ingress-operator:ingress-operator",),
        policies.ingress(wanted.public_zone, wanted.private_zone, shared=shared),
        f"{MANAGED}/ROSAIngressOperatorPolicy",
        assumes=shared,
    )
    yield from CONSTANT
    yield Binding(
        "controlPlaneOperatorARN",
        "control-plane-operator",
        (f"{_ACCOUNT}:kube-system:control-plane-operator",),
        policies.control_plane_operator(wanted.local_zone, shared=shared),
        f"{MANAGED}/ROSAControlPlaneOperatorPolicy",
        assumes=shared,
    )
    if wanted.auto_node:
        yield Binding(
            "karpenterRoleARN",
            "karpenter",
            (f"{_ACCOUNT}:kube-system:karpenter",),
            karpenter.POLICY,
            managed="",
        )
    if wanted.kms_key:
        yield Binding(
            "kmsProviderRoleARN",
            "kms-provider",
            (f"{_ACCOUNT}:kube-system:kms-provider",),
            policies.kms_provider(wanted.kms_key),
            f"{MANAGED}/ROSAKMSProviderPolicy",
        )


#: Components whose permissions are the same in every cluster.
CONSTANT = (
    Binding(
        "imageRegistryARN",
        "openshift-image-registry",
        (
            f"{_ACCOUNT}:openshift-image-registry:cluster-image-registry-operator",
            f"{_ACCOUNT}:openshift-image-registry:registry",
        ),
        policies.IMAGE_REGISTRY,
        f"{MANAGED}/ROSAImageRegistryOperatorPolicy",
    ),
    Binding(
        "storageARN",
        "aws-ebs-csi-driver-controller",
        (f"{_ACCOUNT}:openshift-cluster-csi-drivers:aws-ebs-csi-driver-controller-sa",),
        policies.STORAGE,
        f"{MANAGED}/ROSAAmazonEBSCSIDriverOperatorPolicy",
    ),
    Binding(
        "kubeCloudControllerARN",
        "cloud-controller",
        (f"{_ACCOUNT}:kube-system:kube-controller-manager",),
        policies.CLOUD_CONTROLLER,
        f"{MANAGED}/ROSAKubeControllerPolicy",
    ),
    Binding(
        "nodePoolManagementARN",
        "node-pool",
        (f"{_ACCOUNT}:kube-system:capa-controller-manager",),
        policies.NODE_POOL,
        f"{MANAGED}/ROSANodePoolManagementPolicy",
    ),
    Binding(
        "networkARN",
        "cloud-network-config-controller",
        (f"{_ACCOUNT}:openshift-cloud-network-config-controller:cloud-network-config-controller",),
        policies.NETWORK,
        f"{MANAGED}/ROSACloudNetworkConfigOperatorPolicy",
    ),
)
#: Names of all roles that a cluster may have, whatever it was made with.
ROLE_NAMES = (
    "openshift-ingress",
    *(each.name for each in CONSTANT),
    "control-plane-operator",
    "kms-provider",
    "karpenter",
    "shared-role",
)
WORKER_ROLES = ("worker-role", "worker-ROSA-Worker-Role")
SHARED_VPC_ROLES = ("shared-vpc-route53", "shared-vpc-endpoint")


def check_roles(wanted: WantedRoles) -> None:
    """Refuse what cannot work, before anything is made."""
    if wanted.rosa and not wanted.base_domain:
        raise UsageError("--base-domain is required when using ROSA managed policies")
    if wanted.zones_in_cluster_account and not wanted.shared_vpc:
        raise UsageError("--private-zones-in-cluster-account needs --vpc-owner-aws-creds")
    if not wanted.issuer.startswith("https://"):
        raise UsageError(f"issuer {wanted.issuer} is not an https URL")
