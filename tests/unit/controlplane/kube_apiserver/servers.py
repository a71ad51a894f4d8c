"""API servers as tests look at them: what is rendered for a view."""

from base64 import b64decode
from typing import Any

import yaml
from tests.unit.component.clusters import a_view

from hypershift.component import Management, View, render
from hypershift.controlplane import kube_apiserver
from hypershift.kit import Manifest
from hypershift.release import Product

HIGHLY_AVAILABLE: dict[str, Any] = {"controllerAvailabilityPolicy": "HighlyAvailable"}


def objects(view: View) -> dict[tuple[str, str], Manifest]:
    found = render(kube_apiserver.KUBERNETES, view)
    return {(one["kind"], one["metadata"]["name"]): one for one in found}


def deployment(view: View) -> Manifest:
    return objects(view)["Deployment", "kube-apiserver"]


def kubeconfig(view: View, name: str, key: str = "kubeconfig") -> Manifest:
    data = objects(view)["Secret", name]["data"][key]
    config: Manifest = yaml.safe_load(b64decode(data))
    return config


def openshift(**spec: Any) -> dict[tuple[str, str], Manifest]:
    view = a_view(product=Product.OPENSHIFT, management=Management(), **spec)
    found = render(kube_apiserver.OPENSHIFT, view)
    return {(one["kind"], one["metadata"]["name"]): one for one in found}
