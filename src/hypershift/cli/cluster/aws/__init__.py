"""`create cluster aws`: instances of AWS, in a network and with roles that exist or are made."""

from hypershift.cli.cluster.aws.checks import check, product_check
from hypershift.cli.cluster.aws.infrastructure import prepare
from hypershift.cli.cluster.aws.objects import extras, pools, specialize
from hypershift.cli.cluster.aws.options import AwsOptions
from hypershift.cli.cluster.platform import ClusterPlatform
from hypershift.cli.flags import BOOL, STRINGS, Flag
from hypershift.cli.nodepool import aws

PLATFORM = ClusterPlatform(
    name="aws",
    type="AWS",
    upgrade_type="Replace",
    options=AwsOptions,
    flags=(
        Flag("additional-tags", "Tags of everything made on AWS, key=value", STRINGS),
        Flag("auto-node", "Let Karpenter make nodes as they are needed", BOOL),
        Flag("enable-proxy", "Give the nodes a proxy instead of direct access", BOOL),
        Flag("enable-secure-proxy", "Give the nodes a proxy that is reached by TLS", BOOL),
        Flag(
            "endpoint-access",
            "Who reaches the API: Public, PublicAndPrivate or Private",
            default="Public",
        ),
        aws.INSTANCE_TYPE,
        Flag("kms-key-arn", "Key that encrypts etcd"),
        Flag(
            "multi-arch",
            "Every cluster can have nodes of several architectures",
            BOOL,
            hidden=True,
            deprecated=(
                "Multi-arch validation is now performed automatically based on the release image "
                "and signaled in the HostedCluster.Status.PayloadArch."
            ),
        ),
        Flag("oidc-issuer-url", "URL of the OIDC issuer"),
        Flag("private-zones-in-cluster-account", "Private zones in the cluster's account", BOOL),
        Flag("proxy-vpc-endpoint-service-name", "Endpoint service of a proxy elsewhere"),
        Flag("public-only", "Nodes in public subnets alone", BOOL),
        Flag("region", "Region of the cluster", default="us-east-1"),
        Flag("role-arn", "Role that is assumed"),
        *aws.VOLUME_FLAGS,
        Flag("sa-token-issuer-private-key-path", "File with the key that signs account tokens"),
        Flag("secret-creds", "Secret with the credentials of AWS"),
        Flag("shared-role", "One role for all components", BOOL),
        Flag("sts-creds", "File with session credentials"),
        Flag("use-rosa-managed-policies", "Policies that ROSA manages", BOOL),
        Flag("vpc-cidr", "Range of the VPC, a /16"),
        Flag("zones", "Availability zones, one pool each", STRINGS),
    ),
    developer_flags=(
        Flag(
            "aws-creds",
            "File with AWS credentials",
            hidden=True,
            deprecated=(
                "the AWS SDK default credential chain is used when no explicit credentials are "
                "provided; use '--role-arn' to assume a specific role"
            ),
        ),
        Flag("iam-json", "File with the roles that exist already"),
        Flag("single-nat-gateway", "One NAT gateway for all zones", BOOL),
        Flag("vpc-owner-aws-creds", "File with credentials of the VPC's owner"),
    ),
    check=check,
    product_check=product_check,
    prepare=prepare,
    specialize=specialize,
    pools=pools,
    extras=extras,
    storage_class="gp3-csi",
)
