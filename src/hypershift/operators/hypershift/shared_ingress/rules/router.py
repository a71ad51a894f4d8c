"""The router of the shared ingress as objects: constant but for images and configuration."""

import gzip
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path

import yaml

from hypershift.api import labels
from hypershift.api.annotations import EXTERNAL_DNS_HOSTNAME
from hypershift.api.well_known import ROUTER, SHARED_INGRESS, SHARED_INGRESS_NAMESPACE
from hypershift.component import edit
from hypershift.kit import Manifest
from hypershift.operators.hypershift.ownership import Owner, mark

ASSET = Path(__file__).parent / "assets" / "router.yaml"
CONFIG = "haproxy.cfg"
#: A larger configuration is compressed; an object may have 1 MiB.
LARGE = 512 << 10
COMPONENT = {labels.COMPONENT: SHARED_INGRESS}


def router(haproxy: str, operator: str) -> Iterator[Manifest]:
    """Yield namespace, rights, Service and Deployment, in the order in which they need each other.

    `operator` is our own image, which follows the configuration.
    """
    for made in yaml.safe_load_all(ASSET.read_text()):
        if made["kind"] == "Deployment":
            named = edit.set_image(made, "private-router", haproxy)
            yield edit.set_image(named, "config-generator", operator)
        else:
            yield made


def configuration_map(text: str) -> Manifest:
    """The ConfigMap that the pods follow."""
    content: Manifest = {"data": {CONFIG: text}}
    if len(text) > LARGE:
        packed = gzip.compress(text.encode(), mtime=0)
        content = {"binaryData": {f"{CONFIG}.gz": b64encode(packed).decode()}}
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": ROUTER, "namespace": SHARED_INGRESS_NAMESPACE},
        **content,
    }


def publication(namespace: str, owner: Owner, names: list[str], address: str) -> Manifest:
    """What shows a control plane that it is served, and DNS where its names lead."""
    return {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {
            "name": SHARED_INGRESS,
            "namespace": namespace,
            "labels": dict(COMPONENT),
            "annotations": {**mark(owner), EXTERNAL_DNS_HOSTNAME: ",".join(names)},
        },
        "spec": {"type": "ExternalName", "externalName": address},
    }
