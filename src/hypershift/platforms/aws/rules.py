"""How platform AWS changes the rules for a HostedCluster."""

from hypershift.api import HostedCluster
from hypershift.api.conditions import (
    ConditionStatus,
    ControlPlaneCondition,
    HostedClusterCondition,
)
from hypershift.api.finalizers import AWS_DOCUMENTS_FINALIZER
from hypershift.api.platforms.platform import Platform
from hypershift.api.publishing import is_private
from hypershift.platforms.aws import services
from hypershift.platforms.rules import ClusterRules, Section, Tags, key_service


def _expected(cluster: HostedCluster) -> dict[str, str]:
    kinds: list[str] = [
        HostedClusterCondition.VALID_OIDC,
        ControlPlaneCondition.VALID_AWS_IDENTITY_PROVIDER,
        ControlPlaneCondition.AWS_SECURITY_GROUP_CREATED,
    ]
    if is_private(cluster.spec):
        kinds += [
            HostedClusterCondition.AWS_ENDPOINT_AVAILABLE,
            HostedClusterCondition.AWS_ENDPOINT_SERVICE_AVAILABLE,
        ]
    keys = key_service(cluster.spec)
    used = ConditionStatus.TRUE if keys and keys.aws else ConditionStatus.UNKNOWN
    return {
        **dict.fromkeys(kinds, ConditionStatus.TRUE),
        ControlPlaneCondition.VALID_AWS_KMS: used,
    }


def _resource_tags(section: Platform) -> Tags:
    tags = section.aws.resource_tags if section.aws else ()
    return tuple((one.key, one.value) for one in tags)


RULES = ClusterRules(
    section=Section("aws", "aws cluster"),
    problems=services.problems,
    compares_private_names=False,
    always_copied=(ControlPlaneCondition.VALID_AWS_IDENTITY_PROVIDER,),
    copied_in_deletion=(ControlPlaneCondition.AWS_SECURITY_GROUP_DELETED,),
    cleanup_needs=ControlPlaneCondition.VALID_AWS_IDENTITY_PROVIDER,
    expected=_expected,
    private_router=True,
    management_kas_exempts="aws-ebs-csi-driver-operator",
    drains_reclaimed_nodes=True,
    documents_finalizer=AWS_DOCUMENTS_FINALIZER,
    resource_tags=_resource_tags,
)
