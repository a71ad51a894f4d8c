"""What Azure's load balancers need of a control plane's Services."""

from hypershift.api.publishing import Exposed, is_aro
from hypershift.api.well_known import AZURE_API_PORT, HTTPS_PORT
from hypershift.platforms.load_balancers import Annotations, LoadBalancers

_INTERNAL = {"service.beta.kubernetes.io/azure-load-balancer-internal": "true"}


def _private_router(spec: Exposed, annotations: Annotations) -> Annotations:
    del annotations
    return {} if is_aro(spec) else _INTERNAL


LOAD_BALANCERS = LoadBalancers(
    api_port=AZURE_API_PORT,
    keeps_inner_service=True,
    oauth_port=HTTPS_PORT,
    private=_INTERNAL,
    private_oauth=_INTERNAL,
    private_router=_private_router,
)
