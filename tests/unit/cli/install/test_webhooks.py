from hypershift.cli.command import understand
from hypershift.cli.install.resources import resources
from hypershift.cli.install.webhooks import webhooks
from hypershift.cli.main import HYPERSHIFT


def test_the_mutating_webhooks_are_those_of_clusters_and_pools() -> None:
    values = understand(HYPERSHIFT, ["install", "render", "--enable-defaulting-webhook"]).values
    (configuration,) = webhooks(values)
    hooks = {each["name"]: each["rules"][0]["operations"] for each in configuration["webhooks"]}
    assert hooks == {
        "hostedclusters.hypershift.openshift.io": ["CREATE"],
        "nodepools.hypershift.openshift.io": ["CREATE"],
    }


def test_audit_logs_are_kept_without_a_webhook_in_the_way_of_pods() -> None:
    words = ["install", "render", "--enable-audit-log-persistence"]
    found = resources(understand(HYPERSHIFT, words).values)
    assert not [one for one in found if one["kind"].endswith("WebhookConfiguration")]
    (deployment,) = [
        one
        for one in found
        if one["kind"] == "Deployment" and one["metadata"]["name"] == "operator"
    ]
    env = deployment["spec"]["template"]["spec"]["containers"][0]["env"]
    assert {"name": "ENABLE_AUDIT_LOG_PERSISTENCE", "value": "true"} in env
