"""The configuration file of operators that serve by OpenShift's generic configuration."""

import yaml

from hypershift.component import edit
from hypershift.component.view import View
from hypershift.kit import Manifest
from hypershift.kit.documents import loaded

KEY = "config.yaml"


def generic_config(view: View, manifest: Manifest) -> Manifest:
    """Let the configuration in a ConfigMap serve by the cluster's TLS profile."""
    found: Manifest = loaded(manifest["data"][KEY])
    told = {"minTLSVersion": view.tls.minimum, "cipherSuites": list(view.tls.suites)}
    said = {name: value for name, value in told.items() if value}
    found = edit.at(found, ("servingInfo",), lambda serving: {**serving, **said})
    return edit.set_data(manifest, {KEY: yaml.safe_dump(found)})
