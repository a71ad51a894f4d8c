from tests.lib.command_line import install_options

from hypershift.cli.install.webhooks import webhooks


def hooks_of(*flags: str) -> dict[str, list[str]]:
    found = webhooks(install_options(*flags))
    hooks = [each for configuration in found for each in configuration["webhooks"]]
    return {each["name"]: each["rules"][0]["operations"] for each in hooks}


def test_the_mutating_webhooks_are_those_of_clusters_and_pools() -> None:
    assert hooks_of("--enable-defaulting-webhook") == {
        "hostedclusters.hypershift.openshift.io": ["CREATE"],
        "nodepools.hypershift.openshift.io": ["CREATE"],
    }


def test_audit_logs_bring_the_webhooks_that_the_original_prints() -> None:
    assert hooks_of("--enable-audit-log-persistence") == {
        "hostedclusters.hypershift.openshift.io": ["CREATE"],
        "nodepools.hypershift.openshift.io": ["CREATE"],
        "pods.auditlogpersistence.hypershift.openshift.io": ["CREATE"],
        "configmaps.auditlogpersistence.hypershift.openshift.io": ["CREATE", "UPDATE"],
    }


def test_our_own_rights_keep_audit_logs_without_a_webhook() -> None:
    assert hooks_of("--enable-audit-log-persistence", "--least-privilege") == {}
