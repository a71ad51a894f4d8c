"""Private links on AWS: an endpoint service before each private load balancer, and its endpoint."""

from hypershift.api.finalizers import (
    CONTROL_PLANE_OPERATOR_FINALIZER,
    HYPERSHIFT_OPERATOR_FINALIZER,
)
from hypershift.platforms.aws.private_link.endpoint_side import AwsEndpoint
from hypershift.platforms.aws.private_link.service_side import AwsService
from hypershift.platforms.aws.private_link.wanted import says, spec_of, subnet_of, subnets_of
from hypershift.platforms.links import Halves

HALVES = Halves(
    service=AwsService,
    endpoint=AwsEndpoint,
    service_finalizer=HYPERSHIFT_OPERATOR_FINALIZER,
    endpoint_finalizer=CONTROL_PLANE_OPERATOR_FINALIZER,
    spec=spec_of,
    says=says,
    subnet=subnet_of,
    subnets="subnetIDs",
    subnets_of=subnets_of,
)

__all__ = ["HALVES", "AwsEndpoint", "AwsService", "spec_of"]
