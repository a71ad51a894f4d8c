"""Kubeconfigs of hosted clusters, for readers outside of the control plane's namespace."""

import re

#: A server by its Service's name alone, which its own namespace resolves.
_NEAR = re.compile(rb"^(\s*server: https://[a-z0-9-]+)(:\d+)?\s*$", re.MULTILINE)


def across_namespaces(kubeconfig: bytes, namespace: str) -> bytes:
    """The kubeconfig with a server that every namespace resolves.

    OpenShift's kubeconfigs are for pods beside the API server; our operators run elsewhere.
    """
    return _NEAR.sub(rb"\1.%b.svc\2" % namespace.encode(), kubeconfig)
