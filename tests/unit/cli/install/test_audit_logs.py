from hypershift.cli.command import understand
from hypershift.cli.install import audit_logs
from hypershift.cli.install.resources import resources
from hypershift.cli.main import HYPERSHIFT
from hypershift.kit import Manifest

STATUS = "auditlogpersistenceconfigs/status"


def installed(*flags: str) -> list[Manifest]:
    words = ["install", "--enable-audit-log-persistence", *flags]
    values = understand(HYPERSHIFT, words).values
    return audit_logs.installed(values, resources(values))


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
    values = understand(HYPERSHIFT, ["install", "render", "--enable-audit-log-persistence"]).values
    assert STATUS not in rights(resources(values))


def test_the_operator_is_told_to_keep_logs() -> None:
    (deployment,) = [
        one
        for one in installed()
        if one["kind"] == "Deployment" and one["metadata"]["name"] == "operator"
    ]
    env = deployment["spec"]["template"]["spec"]["containers"][0]["env"]
    assert {"name": "ENABLE_AUDIT_LOG_PERSISTENCE", "value": "true"} in env
