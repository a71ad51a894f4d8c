"""Have kubelets bring changed client authorities to API servers now, not within two minutes.

A kubelet looks at a pod's ConfigMaps once in a while, and whenever the pod changes. So pods are
told which authorities there are. Where operators may not change pods, kubelets come by themselves.
"""

from collections.abc import Iterable
from contextlib import suppress
from hashlib import sha256

from hypershift.api import annotations
from hypershift.kube import Forbidden, NotFound, kinds
from hypershift.operators.pki.revocation.scope import RevocationScope
from hypershift.operators.pki.verify import Replica

#: The ConfigMap that API servers mount; it takes in the bundle of break-glass signers.
CLIENT_CA = "client-ca"
_DIGITS = 16


async def hurry_kubelets(scope: RevocationScope, replicas: Iterable[Replica]) -> None:
    """Note on each replica's pod which client authorities there are, where it is not noted yet."""
    found = await scope.config_map(CLIENT_CA) or {}
    content = (found.get("data") or {}).get("ca.crt", "")
    wanted = sha256(content.encode()).hexdigest()[:_DIGITS] if content else ""
    patch = {"metadata": {"annotations": {annotations.CLIENT_AUTHORITIES_ASKED: wanted}}}
    for replica in replicas:
        if wanted and replica.asked_for != wanted:
            with suppress(Forbidden, NotFound):
                await scope.kube.patch(kinds.POD, replica.pod, patch, scope.namespace)
