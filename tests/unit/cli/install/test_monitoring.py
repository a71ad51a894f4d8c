import pytest
from tests.lib.command_line import install_options

from hypershift.cli.install.resources import resources

FLAGS = (
    "--slos-alerts",
    "--external-dns-provider=google",
    "--external-dns-domain-filter=dns.example.com",
)


@pytest.mark.parametrize(
    ("environment", "group"), [("1", "monitoring.rhobs/v1"), ("", "monitoring.coreos.com/v1")]
)
def test_the_environment_tells_the_group_of_everything_that_observes(
    environment: str, group: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RHOBS_MONITORING", environment)
    made = resources(install_options(*FLAGS))
    found = {
        (each["kind"], each["metadata"]["name"]): each["apiVersion"]
        for each in made
        if each["apiVersion"].startswith("monitoring.")
    }
    assert found == {
        ("ServiceMonitor", "operator"): group,
        ("PodMonitor", "external-dns"): group,
        ("PrometheusRule", "metrics"): group,
        ("PrometheusRule", "alerts"): group,
    }
