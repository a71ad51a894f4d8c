from tests.lib.command_line import install_options

from hypershift.cli.install import audit_logs
from hypershift.cli.install.resources import resources
from hypershift.kit import Manifest

STATUS = "auditlogpersistenceconfigs/status"


def installed(*flags: str) -> list[Manifest]:
    options = install_options("--enable-audit-log-persistence", *flags)
    return audit_logs.installed(options, resources(options))


def rights(objects: list[Manifest]) -> set[str]:
    (role,) = [
        one
        for one in objects
        if one["kind"] == "ClusterRole" and one["metadata"]["name"] == "hypershift-operator"
    ]
    return {resource for rule in role["rules"] for resource in rule.get("resources", ())}


def test_a_cluster_gets_the_rights_that_keep_logs_and_no_webhook_that_nothing_serves() -> None:
    for flags in ((), ("--least-privilege",)):
        objects = installed(*flags)
        assert STATUS in rights(objects)
        assert not [one for one in objects if one["kind"].endswith("WebhookConfiguration")]


def test_what_is_printed_has_the_rights_of_the_original() -> None:
    options = install_options("--enable-audit-log-persistence")
    assert STATUS not in rights(resources(options))


def test_the_operator_is_told_to_keep_logs() -> None:
    (deployment,) = [
        one
        for one in installed()
        if one["kind"] == "Deployment" and one["metadata"]["name"] == "operator"
    ]
    env = deployment["spec"]["template"]["spec"]["containers"][0]["env"]
    assert {"name": "ENABLE_AUDIT_LOG_PERSISTENCE", "value": "true"} in env
