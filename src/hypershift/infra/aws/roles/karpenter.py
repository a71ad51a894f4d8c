"""What Karpenter may do on AWS: the original's permissions, statement for statement."""

from hypershift.infra.aws.roles.policies import Document, allow, document

_MADE = [f"arn:*:ec2:*:*:{kind}/*" for kind in ("instance", "volume", "network-interface")]
_LAUNCHED = [
    "arn:*:ec2:*:*:fleet/*",
    *_MADE,
    "arn:*:ec2:*:*:launch-template/*",
    "arn:*:ec2:*:*:spot-instances-request/*",
]
_PROFILES = "arn:*:iam::*:instance-profile/*"
_OF_POOL, _OF_CLASS = "karpenter.sh/nodepool", "karpenter.k8s.aws/ec2nodeclass"


def _tagged(tag: str, *places: str) -> Document:
    """The tag that a request gives, or that the resource has, or both."""
    return {"StringLike": {f"aws:{place}Tag/{tag}": "*" for place in places}}


#: Karpenter launches and ends those instances alone that carry its tag.
POLICY = document(
    allow(
        "ec2: RunInstances CreateFleet",
        resource=[
            "arn:*:ec2:*::image/*",
            "arn:*:ec2:*::snapshot/*",
            "arn:*:ec2:*:*:security-group/*",
            "arn:*:ec2:*:*:subnet/*",
        ],
    ),
    allow("ec2: RunInstances CreateFleet", resource="arn:*:ec2:*:*:launch-template/*"),
    allow(
        "ec2: RunInstances CreateFleet CreateLaunchTemplate",
        resource=_LAUNCHED,
        condition=_tagged(_OF_POOL, "Request"),
    ),
    allow(
        "ec2: CreateTags",
        resource=_LAUNCHED,
        condition={
            "StringEquals": {
                "ec2:CreateAction": ["RunInstances", "CreateFleet", "CreateLaunchTemplate"]
            },
            **_tagged(_OF_POOL, "Request"),
        },
    ),
    allow(
        "ec2: CreateTags",
        resource="arn:*:ec2:*:*:instance/*",
        condition=_tagged(_OF_POOL, "Resource"),
    ),
    allow(
        "ec2: TerminateInstances DeleteLaunchTemplate",
        resource=["arn:*:ec2:*:*:instance/*", "arn:*:ec2:*:*:launch-template/*"],
        condition=_tagged(_OF_POOL, "Resource"),
    ),
    allow(
        "ec2: DescribeCapacityReservations DescribeImages DescribeInstances "
        "DescribeInstanceTypeOfferings DescribeInstanceTypes DescribeLaunchTemplates "
        "DescribeSecurityGroups DescribeSpotPriceHistory DescribeSubnets"
    ),
    allow("ssm: GetParameter", resource="arn:*:ssm:*::parameter/aws/service/*"),
    allow("pricing: GetProducts"),
    allow("sqs: DeleteMessage GetQueueUrl ReceiveMessage"),
    allow(
        "iam: PassRole",
        resource="arn:*:iam::*:role/*",
        condition={
            "StringEquals": {"iam:PassedToService": ["ec2.amazonaws.com", "ec2.amazonaws.com.cn"]}
        },
    ),
    allow(
        "iam: CreateInstanceProfile", resource=_PROFILES, condition=_tagged(_OF_CLASS, "Request")
    ),
    allow(
        "iam: TagInstanceProfile",
        resource=_PROFILES,
        condition=_tagged(_OF_CLASS, "Resource", "Request"),
    ),
    allow(
        "iam: AddRoleToInstanceProfile RemoveRoleFromInstanceProfile DeleteInstanceProfile",
        resource=_PROFILES,
        condition=_tagged(_OF_CLASS, "Resource"),
    ),
    allow("iam: GetInstanceProfile", resource=_PROFILES),
    allow("iam: ListInstanceProfiles"),
)
