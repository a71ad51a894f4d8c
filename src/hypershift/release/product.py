"""The products that a payload can be, and where each keeps what."""

from enum import StrEnum


class Product(StrEnum):
    """The product that a release installs; the payload's metadata names it."""

    KUBERNETES = "kubernetes"
    OPENSHIFT = "openshift"


#: Where one product calls an image by another name than the component that runs it.
ALIASES: dict[Product, dict[str, str]] = {
    Product.OPENSHIFT: {
        "kube-apiserver": "hyperkube",
        "kube-controller-manager": "hyperkube",
        "kube-scheduler": "hyperkube",
        "konnectivity-server": "apiserver-network-proxy",
        "konnectivity-agent": "apiserver-network-proxy",
        "cluster-api": "cluster-capi-controllers",
        "haproxy": "haproxy-router",
        "machine-os": "rhel-coreos",
    },
    Product.KUBERNETES: {},
}
