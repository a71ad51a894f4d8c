"""What each component of a cluster may do on AWS: the original's permissions, action for action."""

from typing import Any

Document = dict[str, Any]
ANY = "*"
#: A grant that a component makes is for AWS' own services alone.
FOR_AWS = {"Bool": {"kms:GrantIsForAWSResource": True}}


def document(*statements: Document) -> Document:
    return {"Version": "2012-10-17", "Statement": list(statements)}


def allow(
    *actions: str, resource: str | list[str] = ANY, condition: Document | None = None
) -> Document:
    """A statement; each text names a service and its actions: `ec2: CreateTags DeleteTags`."""
    found = [
        f"{service}:{action}"
        for text in actions
        for service, _, names in [text.partition(":")]
        for action in names.split()
    ]
    statement: Document = {"Effect": "Allow", "Action": found, "Resource": resource}
    return {**statement, "Condition": condition} if condition else statement


ASSUME_ROLE = document(allow("sts: AssumeRole"))

IMAGE_REGISTRY = document(
    allow(
        "s3: CreateBucket DeleteBucket PutBucketTagging GetBucketTagging "
        "PutBucketPublicAccessBlock GetBucketPublicAccessBlock PutEncryptionConfiguration "
        "GetEncryptionConfiguration PutLifecycleConfiguration GetLifecycleConfiguration "
        "GetBucketLocation ListBucket GetObject PutObject DeleteObject "
        "ListBucketMultipartUploads AbortMultipartUpload ListMultipartUploadParts"
    )
)

STORAGE = document(
    allow(
        "ec2: AttachVolume CreateSnapshot CreateTags CreateVolume DeleteSnapshot DeleteTags "
        "DeleteVolume DescribeInstances DescribeSnapshots DescribeTags DescribeVolumes "
        "DescribeVolumesModifications DetachVolume ModifyVolume DescribeAvailabilityZones "
        "EnableFastSnapshotRestores DescribeInstanceTypes DescribeVolumeStatus CopyVolumes "
        "LockSnapshot"
    ),
    allow("kms: Decrypt Encrypt GenerateDataKey GenerateDataKeyWithoutPlainText DescribeKey"),
    allow("kms: RevokeGrant CreateGrant ListGrants", condition=FOR_AWS),
)

CLOUD_CONTROLLER = document(
    allow(
        "autoscaling: DescribeAutoScalingGroups DescribeLaunchConfigurations DescribeTags",
        "ec2: DescribeAvailabilityZones DescribeInstances DescribeImages DescribeRegions "
        "DescribeRouteTables DescribeSecurityGroups DescribeSubnets DescribeVolumes "
        "CreateSecurityGroup CreateTags CreateVolume ModifyInstanceAttribute ModifyVolume "
        "AttachVolume AuthorizeSecurityGroupIngress CreateRoute DeleteRoute DeleteSecurityGroup "
        "DeleteVolume DetachVolume RevokeSecurityGroupIngress DescribeVpcs",
        "elasticloadbalancing: AddTags AttachLoadBalancerToSubnets "
        "ApplySecurityGroupsToLoadBalancer CreateLoadBalancer CreateLoadBalancerPolicy "
        "CreateLoadBalancerListeners ConfigureHealthCheck DeleteLoadBalancer "
        "DeleteLoadBalancerListeners DescribeLoadBalancers DescribeLoadBalancerAttributes "
        "DetachLoadBalancerFromSubnets DeregisterInstancesFromLoadBalancer "
        "ModifyLoadBalancerAttributes ModifyTargetGroupAttributes "
        "RegisterInstancesWithLoadBalancer SetLoadBalancerPoliciesForBackendServer "
        "CreateListener CreateTargetGroup DeleteListener DeleteTargetGroup DeregisterTargets "
        "DescribeListeners DescribeLoadBalancerPolicies DescribeTargetGroups "
        "DescribeTargetGroupAttributes DescribeTargetHealth ModifyListener ModifyTargetGroup "
        "RegisterTargets SetLoadBalancerPoliciesOfListener SetSecurityGroups",
        "iam: CreateServiceLinkedRole",
        "kms: DescribeKey",
    )
)

NODE_POOL = document(
    allow(
        "ec2: AssociateRouteTable AttachInternetGateway AuthorizeSecurityGroupIngress "
        "CreateInternetGateway CreateNatGateway CreateRoute CreateRouteTable CreateSecurityGroup "
        "CreateSubnet CreateTags DeleteInternetGateway DeleteNatGateway DeleteRouteTable "
        "DeleteSecurityGroup DeleteSubnet DeleteTags DescribeAccountAttributes DescribeAddresses "
        "DescribeAvailabilityZones DescribeImages DescribeInstances DescribeInstanceTypes "
        "DescribeInternetGateways DescribeNatGateways DescribeNetworkInterfaces "
        "DescribeNetworkInterfaceAttribute DescribeRouteTables DescribeSecurityGroups "
        "DescribeSubnets DescribeVpcs DescribeDhcpOptions DescribeVpcAttribute DescribeVolumes "
        "DetachInternetGateway DisassociateRouteTable DisassociateAddress ModifyInstanceAttribute "
        "ModifyNetworkInterfaceAttribute ModifySubnetAttribute RevokeSecurityGroupIngress "
        "RunInstances TerminateInstances CreateLaunchTemplate CreateLaunchTemplateVersion "
        "DescribeLaunchTemplates DescribeLaunchTemplateVersions DeleteLaunchTemplate "
        "DeleteLaunchTemplateVersions",
        "tag: GetResources",
        "sqs: DeleteMessage ReceiveMessage",
    ),
    allow(
        "iam: CreateServiceLinkedRole",
        resource=[
            (
                "arn:*:iam::*:role/aws-service-role/elasticloadbalancing.amazonaws.com/"
                "AWSServiceRoleForElasticLoadBalancing"
            )
        ],
        condition={"StringLike": {"iam:AWSServiceName": "elasticloadbalancing.amazonaws.com"}},
    ),
    allow("iam: PassRole", resource=["arn:*:iam::*:role/*-worker-role"]),
    allow("kms: Decrypt ReEncrypt GenerateDataKeyWithoutPlainText DescribeKey"),
    allow("kms: CreateGrant", condition=FOR_AWS),
)

NETWORK = document(
    allow(
        "ec2: DescribeInstances DescribeInstanceStatus DescribeInstanceTypes "
        "UnassignPrivateIpAddresses AssignPrivateIpAddresses UnassignIpv6Addresses "
        "AssignIpv6Addresses DescribeSubnets DescribeNetworkInterfaces"
    )
)

WORKER = document(allow("ec2: DescribeInstances DescribeRegions"))

SHARED_ROUTE53 = document(
    allow(
        "route53: ListHostedZones ListHostedZonesByName ChangeTagsForResource GetAccountLimit "
        "GetChange GetHostedZone ListTagsForResource UpdateHostedZoneComment",
        "tag: GetResources UntagResources",
        "route53: ChangeResourceRecordSets ListResourceRecordSets",
    )
)

_GROUPS = (
    "CreateTags CreateSecurityGroup AuthorizeSecurityGroupIngress AuthorizeSecurityGroupEgress "
    "DeleteSecurityGroup RevokeSecurityGroupIngress RevokeSecurityGroupEgress "
    "DescribeSecurityGroups DescribeVpcs DescribeSubnets"
)
_ENDPOINTS = (
    f"ec2: CreateVpcEndpoint DescribeVpcEndpoints ModifyVpcEndpoint DeleteVpcEndpoints {_GROUPS}"
)
SHARED_ENDPOINT = document(allow(_ENDPOINTS))


def zone_arn(zone: str) -> str:
    return f"arn:aws:route53:::hostedzone/{zone.removeprefix('hostedzone/')}"


def ingress(public_zone: str, private_zone: str, *, shared: bool) -> Document:
    """Records of the cluster's zones; a shared VPC's private zone is its owner's."""
    zones = [public_zone] if shared else [public_zone, private_zone]
    return document(
        allow(
            "elasticloadbalancing: DescribeLoadBalancers",
            "tag: GetResources",
            "route53: ListHostedZones",
        ),
        allow("route53: ChangeResourceRecordSets", resource=[zone_arn(zone) for zone in zones]),
    )


def control_plane_operator(local_zone: str, *, shared: bool) -> Document:
    """Endpoints and the local zone; in a shared VPC both are made by a role of its owner."""
    if shared:
        return document(allow(f"ec2: DescribeVpcEndpoints {_GROUPS}"))
    return document(
        allow(_ENDPOINTS, "route53: ListHostedZones"),
        allow(
            "route53: ChangeResourceRecordSets ListResourceRecordSets",
            resource=zone_arn(local_zone),
        ),
    )


def kms_provider(key: str) -> Document:
    actions = "kms: Encrypt Decrypt ReEncrypt* GenerateDataKey* DescribeKey"
    return document(allow(actions, resource=key))


def rosa_ingress(base_domain: str) -> Document:
    """What ROSA's policy lacks: records of a base domain that the user chose."""
    names = {"route53:ChangeResourceRecordSetsNormalizedRecordNames": [f"*.{base_domain}"]}
    condition = {"ForAllValues:StringLike": names}
    return document(allow("route53: ChangeResourceRecordSets", condition=condition))


#: What ROSA's policy of the cloud controller lacks.
ROSA_CLOUD_CONTROLLER = document(allow("elasticloadbalancing: SetSecurityGroups"))


def web_identity(provider_arn: str, accounts: tuple[str, ...]) -> Document:
    """Trust in tokens of these service accounts, as the cluster's issuer signs them."""
    issuer = provider_arn.partition(":oidc-provider/")[2]
    subjects: str | list[str] = accounts[0] if len(accounts) == 1 else list(accounts)
    return _trust(
        {"Federated": provider_arn},
        "sts:AssumeRoleWithWebIdentity",
        {"Condition": {"StringEquals": {f"{issuer}:sub": subjects}}},
    )


def service_trust(service: str) -> Document:
    return _trust({"Service": service}, "sts:AssumeRole", {})


def role_trust(arns: tuple[str, ...]) -> Document:
    """Trust in other roles."""
    return _trust({"AWS": arns[0] if len(arns) == 1 else list(arns)}, "sts:AssumeRole", {})


def _trust(principal: Document, action: str, more: Document) -> Document:
    return document({"Effect": "Allow", "Principal": principal, "Action": action, **more})
