"""The part of a HostedCluster that is about AWS."""

from hypershift.api import HostedCluster
from hypershift.api.platforms.aws import AWSPlatform
from hypershift.kit import InvalidSpec


def section_of(cluster: HostedCluster) -> AWSPlatform:
    """`spec.platform.aws`, without which there is no cluster on AWS."""
    section = cluster.spec.platform.aws
    if section is None:
        raise InvalidSpec("a cluster on AWS needs spec.platform.aws", field="spec.platform.aws")
    return section
