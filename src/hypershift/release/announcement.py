"""Publish which versions this operator hosts."""

import json

from hypershift.api import labels
from hypershift.kit import Manifest
from hypershift.release.product import Product
from hypershift.release.versions import supported

NAME = "supported-versions"
LABEL = labels.SUPPORTED_VERSIONS


def supported_versions(namespace: str, server_version: str) -> Manifest:
    """The ConfigMap that command lines read before they ask for a version.

    `supported-versions` has OpenShift's minors, as clients of the original expect; each product
    has a key of its own beside it.
    """
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": NAME, "namespace": namespace, "labels": {LABEL: "true"}},
        "data": {
            "server-version": server_version,
            "supported-versions": _versions(Product.OPENSHIFT),
            **{f"supported-versions.{product}": _versions(product) for product in Product},
        },
    }


def _versions(product: Product) -> str:
    return json.dumps({"versions": list(supported(product))})
