from hypershift.cli.command import understand
from hypershift.cli.install.webhooks import webhooks
from hypershift.cli.main import HYPERSHIFT


def test_audit_logs_are_kept_by_webhooks_of_new_pods_and_of_config_maps() -> None:
    values = understand(HYPERSHIFT, ["install", "render", "--enable-audit-log-persistence"]).values
    (configuration,) = webhooks(values)
    hooks = {each["name"]: each["rules"][0]["operations"] for each in configuration["webhooks"]}
    assert hooks == {
        "hostedclusters.hypershift.openshift.io": ["CREATE"],
        "nodepools.hypershift.openshift.io": ["CREATE"],
        "pods.auditlogpersistence.hypershift.openshift.io": ["CREATE"],
        "configmaps.auditlogpersistence.hypershift.openshift.io": ["CREATE", "UPDATE"],
    }
