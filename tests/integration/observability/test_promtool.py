"""Prometheus's own tool reads our rules and dashboard, and plays alerts through."""

import subprocess
from pathlib import Path

import pytest
import yaml
from tests.unit.docs.test_observability import RULES, expressions

from hypershift import parts

pytestmark = pytest.mark.integration


def promtool() -> str:
    try:
        return str(parts.path("promtool"))
    except parts.PartMissing:
        pytest.skip("promtool is an optional part: `hypershift parts fetch promtool` gets it")


def checked(rules: Path) -> subprocess.CompletedProcess[str]:
    words = [promtool(), "check", "rules", str(rules)]
    return subprocess.run(words, capture_output=True, text=True, check=False)


def test_promtool_accepts_the_rules() -> None:
    result = checked(RULES)
    assert result.returncode == 0, result.stdout + result.stderr
    count = sum(len(group["rules"]) for group in yaml.safe_load(RULES.read_text())["groups"])
    assert f"SUCCESS: {count} rules found" in result.stdout


#: Series over time, and the alerts that fire after two hours of them.
STORIES = [
    ({'hypershift_cluster_invalid_aws_creds{name="a"}': "1+0x120"}, "CredentialsRefused"),
    ({'hypershift_cluster_invalid_gcp_creds{name="a"}': "2+0x120"}, ""),
    ({'hypershift_cluster_proxy_ca_valid{name="a"}': "0+0x120"}, "ProxyCertificatesExpire"),
    (
        {'hypershift_cluster_proxy_ca_expiry_timestamp{name="a"}': "864000+0x120"},
        "ProxyCertificatesExpire",
    ),
    ({'hypershift_cluster_proxy_ca_expiry_timestamp{name="a"}': "8640000+0x120"}, ""),
    # Nobody can say when it expires: whether it is valid is told by the other one.
    ({'hypershift_cluster_proxy_ca_expiry_timestamp{name="a"}': "0+0x120"}, ""),
    ({'hypershift_etcd_manual_intervention_required{name="a"}': "1+0x120"}, "EtcdLost"),
]


@pytest.mark.parametrize(("series", "alert"), STORIES)
def test_an_alert_fires_for_what_it_is_about(
    series: dict[str, str], alert: str, tmp_path: Path
) -> None:
    name = f"HostedCluster{alert}"
    groups = yaml.safe_load(RULES.read_text())["groups"]
    rules = [rule for group in groups for rule in group["rules"] if "alert" in rule]
    known = next((rule for rule in rules if rule["alert"] == name), None)
    fired = [{"exp_labels": {"name": "a", **known["labels"]}}] if known else []
    every = [rule["alert"] for rule in rules if rule["alert"].startswith("HostedCluster")]
    story = {
        "interval": "1m",
        "input_series": [{"series": key, "values": text} for key, text in series.items()],
        "promql_expr_test": [
            {
                "expr": f'count(ALERTS{{alertstate="firing",alertname="{one}"}})',
                "eval_time": "2h",
                "exp_samples": [{"labels": "{}", "value": len(fired)}] if one == name else [],
            }
            for one in every
        ],
    }
    file = tmp_path / "story.yaml"
    file.write_text(yaml.safe_dump({"rule_files": [str(RULES)], "tests": [story]}))
    words = [promtool(), "test", "rules", str(file)]
    result = subprocess.run(words, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr


def test_promtool_refuses_an_expression_that_is_none(tmp_path: Path) -> None:
    broken = tmp_path / "rules.yaml"
    broken.write_text(RULES.read_text().replace("sum(", "sum((", 1))
    assert checked(broken).returncode != 0


def test_promtool_understands_every_expression_of_the_dashboard(tmp_path: Path) -> None:
    """As rules, which are expressions with a name."""
    told = [
        {"record": f"panel_{number}", "expr": expression}
        for number, expression in enumerate(expressions())
    ]
    rules = tmp_path / "dashboard.yaml"
    rules.write_text(yaml.safe_dump({"groups": [{"name": "dashboard", "rules": told}]}))
    result = checked(rules)
    assert result.returncode == 0, result.stdout + result.stderr
