"""HostedCluster spec.configuration as Go's JSON: the text behind `hc-configuration-hash`."""

from hypershift.ignition.fingerprint import of_text
from hypershift.ignition.goyaml import to_json
from hypershift.kit import Manifest
from hypershift.operators.hypershift import go_json
from hypershift.operators.hypershift.node_pool import global_config


def json_text(configuration: Manifest | None) -> str:
    """The JSON text of the whole configuration; `null` without one."""
    if configuration is None:
        return "null"
    shown = {
        name: go_json.shown(shape, configuration[name])
        for name, shape in go_json.SECTIONS.items()
        if configuration.get(name) is not None
    }
    return to_json(shown, sort=False)


def fingerprint(configuration: Manifest | None) -> str:
    """The hash by which the ignition server knows that it sees the same configuration."""
    return of_text(global_config.without_empty_import_mode(json_text(configuration)))
