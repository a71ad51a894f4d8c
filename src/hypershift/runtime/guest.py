"""Reaches hosted clusters from passes over objects of their control plane namespaces."""

from collections.abc import Sequence

from hypershift.api.well_known import GUEST_KUBECONFIG, KUBECONFIG_KEY
from hypershift.kit import data_of
from hypershift.kube import Client, kinds
from hypershift.kube.hosted import across_namespaces
from hypershift.runtime.controller import Watch
from hypershift.runtime.scope import Scope


async def connect_guest(
    scope: Scope, watches: Sequence[Watch] = (), *, name: str = ""
) -> Client | None:
    """The cached client of the hosted API server beside an object; None before its kubeconfig is.

    The connection has the name of the namespace unless another is chosen: who shares a name shares
    its end.
    """
    namespace = scope.key.namespace
    secret = await scope.kube.find(kinds.SECRET, GUEST_KUBECONFIG, namespace)
    if secret is None:
        return None
    kubeconfig = across_namespaces(data_of(secret, KUBECONFIG_KEY), namespace)
    return await scope.context.remotes.connect(name or namespace, kubeconfig, watches)
