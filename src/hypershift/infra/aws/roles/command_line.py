"""The role by which this program works on AWS, with the permissions that its commands need."""

from hypershift.cloud.aws import Account
from hypershift.infra.apply import Progress
from hypershift.infra.aws.roles.ensure import WantedRole, ensure_role
from hypershift.infra.aws.roles.policies import allow, document, role_trust

#: Networks, machines and their groups: what `infra/aws` asks of EC2.
NETWORK = allow(
    "ec2: AllocateAddress AssociateDhcpOptions AssociateRouteTable AttachInternetGateway "
    "AuthorizeSecurityGroupIngress CreateDhcpOptions CreateInternetGateway CreateNatGateway "
    "CreateRoute CreateRouteTable CreateSecurityGroup CreateSubnet CreateTags CreateVpc "
    "CreateVpcEndpoint DeleteDhcpOptions DeleteInternetGateway DeleteKeyPair DeleteNatGateway "
    "DeleteRouteTable DeleteSecurityGroup DeleteSubnet DeleteVpc DeleteVpcEndpoints "
    "DeleteVpcEndpointServiceConfigurations DescribeAddresses DescribeAvailabilityZones "
    "DescribeDhcpOptions DescribeImages DescribeInstances DescribeInternetGateways "
    "DescribeKeyPairs DescribeNatGateways DescribeRouteTables DescribeSecurityGroups "
    "DescribeSubnets DescribeVpcAttribute DescribeVpcEndpointConnections DescribeVpcEndpoints "
    "DescribeVpcEndpointServiceConfigurations DescribeVpcs DetachInternetGateway "
    "DisassociateRouteTable GetConsoleOutput ImportKeyPair ModifyVpcAttribute "
    "RejectVpcEndpointConnections ReleaseAddress ReplaceRoute ReplaceRouteTableAssociation "
    "RevokeSecurityGroupEgress RevokeSecurityGroupIngress RunInstances TerminateInstances",
    "elasticloadbalancing: DeleteLoadBalancer DeleteTargetGroup DescribeLoadBalancers "
    "DescribeTargetGroups",
    "ssm: GetParameters",
)
IDENTITIES = allow(
    "iam: AddRoleToInstanceProfile AttachRolePolicy CreateInstanceProfile "
    "CreateOpenIDConnectProvider CreateRole DeleteInstanceProfile DeleteOpenIDConnectProvider "
    "DeleteRole DeleteRolePolicy DetachRolePolicy GetInstanceProfile GetRole GetRolePolicy "
    "ListAttachedRolePolicies ListInstanceProfilesForRole ListOpenIDConnectProviders "
    "ListRolePolicies PutRolePolicy RemoveRoleFromInstanceProfile TagInstanceProfile "
    "TagOpenIDConnectProvider TagRole UpdateAssumeRolePolicy"
)
#: Workers' roles are handed to machines alone.
WORKERS = allow(
    "iam: PassRole",
    resource="arn:*:iam::*:role/*-worker-role",
    condition={"ForAnyValue:StringEqualsIfExists": {"iam:PassedToService": "ec2.amazonaws.com"}},
)
ZONES = allow(
    "route53: AssociateVPCWithHostedZone ChangeResourceRecordSets ChangeTagsForResource "
    "CreateHostedZone CreateVPCAssociationAuthorization DeleteHostedZone "
    "DisassociateVPCFromHostedZone GetHostedZone ListHostedZones ListHostedZonesByName "
    "ListHostedZonesByVPC ListResourceRecordSets"
)
BUCKETS = allow("s3: DeleteBucket DeleteObject ListAllMyBuckets ListBucket")
POLICY = document(NETWORK, IDENTITIES, WORKERS, ZONES, BUCKETS)


def create_cli_role(
    account: Account, name: str, tags: tuple[tuple[str, str], ...], log: Progress
) -> str:
    """The ARN of a role that its maker may take, and no other."""
    caller = str(account.call("sts", "get_caller_identity")["Arn"])
    return ensure_role(account, WantedRole(name, role_trust((caller,)), POLICY, tags), log)
