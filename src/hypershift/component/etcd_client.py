"""Where components other than kube-apiserver find etcd."""

from urllib.parse import urlsplit

from hypershift.api.values import EtcdManagementType
from hypershift.component.view import View
from hypershift.kit import InvalidSpec

SERVICE = "etcd-client"


def external(view: View) -> bool:
    """Whether etcd is the user's own."""
    return view.spec.etcd.management_type == EtcdManagementType.UNMANAGED


def url(view: View) -> str:
    """The address of etcd in the control plane namespace, or of the user's own."""
    own = view.spec.etcd.unmanaged
    return own.endpoint if external(view) and own else f"https://{SERVICE}:2379"


def host(view: View) -> str:
    """The host alone, for what must not go through a proxy."""
    try:
        found = urlsplit(url(view)).hostname
    except ValueError:
        found = None
    if not found:
        raise InvalidSpec("the endpoint has no host", field="spec.etcd.unmanaged.endpoint")
    return found
