"""Restart what an older operator leaves running with a certificate that was replaced.

Such an operator rolls nothing when the API server's certificate is renewed: a restart date on its
control plane does, once for each certificate.
"""

from datetime import timedelta

from hypershift.component import fnv1a
from hypershift.kit import Manifest, annotations_of, data_of
from hypershift.kube import kinds
from hypershift.operators.hypershift.hosted_cluster import names
from hypershift.operators.hypershift.hosted_cluster.scope import ClusterScope
from hypershift.release import Capability
from hypershift.runtime import Wait

SECRET = "kas-server-crt"  # noqa: S105 - the name of an object
#: Nothing wakes us when a certificate is renewed in the control plane's namespace.
LOOK = timedelta(minutes=5)


def restarts_by_itself(scope: ClusterScope) -> bool:
    """Whether there is nothing to do for the cluster's own operator, now or ever."""
    young = names.HAS_BEEN_AVAILABLE not in scope.annotations
    foreign = names.DISABLE_PKI in scope.annotations
    return young or foreign or scope.operator.can(Capability.RESTARTS_ON_ROTATION)


async def restart_on_rotation(scope: ClusterScope, plane: Manifest) -> Wait | None:
    """Note the certificate on the control plane, with a restart when it is another one."""
    if restarts_by_itself(scope):
        return None
    secret = await scope.kube.find(kinds.SECRET, SECRET, scope.namespace)
    content = data_of(secret, "tls.crt")
    if not content:
        return Wait("NoCertificate", after=LOOK)
    current = str(fnv1a(content))
    known = annotations_of(scope.control_plane or {}).get(names.SERVING_CERT_HASH, "")
    plane["metadata"]["annotations"][names.SERVING_CERT_HASH] = current
    if known and known != current:
        plane["metadata"]["annotations"][names.RESTART_DATE] = f"CertHash:{current}"
    return Wait("CertificateIsWatched", after=LOOK)
