"""Commands of AWS beside `create cluster` and `create nodepool`."""

from hypershift.cli.clouds.notation import AWS_CREDENTIALS, built
from hypershift.cli.flags import BOOL, Flag
from hypershift.cli.typed import Later


def _later(module: str, attribute: str) -> Later:
    """What runs a command; its module, and with it AWS' clients, is imported when it runs."""
    return Later(f"{__name__}.{module}", attribute)


#: The flags by which most of them authenticate at AWS.
_ROLE = "role-arn sts-creds"
_DRY_RUN = Flag("dry-run", "Show what would be made, and make nothing", BOOL)
_PRODUCT_DESTROY = (
    "aws-infra-grace-period@ base-domain base-domain-prefix preserve-iam? region=us-east-1 "
    f"secret-creds {_ROLE}"
)

CREATE_INFRA = built(
    "create infra aws",
    "Make the network of a cluster on AWS",
    f"additional-tags* base-domain! base-domain-prefix enable-proxy? enable-secure-proxy? "
    f"infra-id! name=example output-file private-zones-in-cluster-account? "
    f"proxy-vpc-endpoint-service-name public-only? region=us-east-1 single-nat-gateway? "
    f"vpc-cidr vpc-owner-aws-creds zones* {_ROLE}",
    _later("infra", "CREATE"),
    AWS_CREDENTIALS,
    _DRY_RUN,
)
CREATE_IAM = built(
    "create iam aws",
    "Make the roles of a cluster on AWS",
    f"additional-tags* base-domain infra-id! kms-key-arn local-zone-id! oidc-issuer-url "
    f"oidc-storage-provider-s3-bucket-name oidc-storage-provider-s3-region output-file "
    f"private-zone-id! private-zones-in-cluster-account? public-zone-id! region=us-east-1 "
    f"shared-role? use-rosa-managed-policies? vpc-owner-aws-creds {_ROLE}",
    _later("iam", "CREATE"),
    AWS_CREDENTIALS,
    _DRY_RUN,
)
CREATE_CLI_ROLE = built(
    "create iam cli-role",
    "Make the role by which this program works on AWS",
    "additional-tags%/t aws-creds name=hypershift-cli-role",
    _later("roles", "CREATE_CLI"),
)
CREATE_OPERATOR_ROLES = built(
    "create operator-roles aws",
    "Make the roles of the operator on AWS",
    f"additional-tags* instance-role-arn name-prefix=hypershift oidc-issuer-url "
    f"oidc-storage-provider-s3-bucket-name! operator-namespace=hypershift output-file region "
    f"route53-hosted-zone-id {_ROLE}",
    _later("roles", "CREATE_OPERATOR"),
    AWS_CREDENTIALS,
)
CREATE_BASTION = built(
    "create bastion aws",
    "Make a machine on AWS from which nodes can be reached",
    "additional-tags* aws-creds! infra-id name namespace=clusters region ssh-key-file wait?=true",
    _later("bastion", "CREATE"),
)
DESTROY_BASTION = built(
    "destroy bastion aws",
    "Remove a bastion on AWS",
    "aws-creds! infra-id name namespace=clusters region",
    _later("bastion", "DESTROY"),
)
DESTROY_INFRA = built(
    "destroy infra aws",
    "Remove the network of a cluster on AWS",
    f"aws-creds.aws-ebs-csi-driver-controller aws-creds.cloud-controller "
    f"aws-creds.cloud-network-config-controller aws-creds.control-plane-operator "
    f"aws-creds.node-pool aws-creds.openshift-image-registry aws-infra-grace-period@ "
    f"base-domain! base-domain-prefix infra-id! name=example private-zones-in-cluster-account? "
    f"region=us-east-1 vpc-owner-aws-creds {_ROLE}",
    _later("infra", "DESTROY"),
    AWS_CREDENTIALS,
)
DESTROY_IAM = built(
    "destroy iam aws",
    "Remove the roles of a cluster on AWS",
    f"infra-id! private-zones-in-cluster-account? region=us-east-1 vpc-owner-aws-creds {_ROLE}",
    _later("iam", "DESTROY"),
    AWS_CREDENTIALS,
)
PRODUCT_DESTROY_CLUSTER = built(
    "destroy cluster aws",
    "Destroy a cluster of platform aws",
    _PRODUCT_DESTROY,
    _later("cluster", "DESTROY"),
)
DESTROY_CLUSTER = built(
    "destroy cluster aws",
    "Destroy a cluster of platform aws",
    f"{_PRODUCT_DESTROY} private-zones-in-cluster-account? vpc-owner-aws-creds",
    _later("cluster", "DESTROY"),
    AWS_CREDENTIALS,
)
CONSOLE_LOGS = built(
    "console-logs aws",
    "Consoles of machines on AWS",
    f"name! namespace/n=clusters output-dir! {_ROLE}",
    _later("consoles", "WRITE"),
    AWS_CREDENTIALS,
)
FIX_DR_OIDC_IAM = built(
    "fix dr-oidc-iam",
    "Restore the OIDC documents and provider of a cluster on AWS",
    f"aws-creds dry-run? force-recreate? hc-name hc-namespace infra-id issuer oidc-bucket region "
    f"restart-delay@=5m timeout@=10m {_ROLE}",
    _later("repair", "REPAIR"),
)
