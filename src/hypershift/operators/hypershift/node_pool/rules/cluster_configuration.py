"""HostedCluster spec.configuration as Go's JSON: the text behind `hc-configuration-hash`."""

from hypershift.api.configuration import ClusterConfiguration
from hypershift.api.go_json import go_json
from hypershift.ignition.fingerprint import of_text
from hypershift.ignition.goyaml import to_json
from hypershift.kit import Manifest
from hypershift.operators.hypershift.node_pool.rules import global_config


def json_text(configuration: Manifest | None) -> str:
    """The JSON text of the whole configuration; `null` without one."""
    if configuration is None:
        return "null"
    return to_json(go_json(ClusterConfiguration, configuration), sort=False)


def fingerprint(configuration: Manifest | None) -> str:
    """The hash by which the ignition server knows that it sees the same configuration."""
    return of_text(global_config.without_empty_import_mode(json_text(configuration)))
