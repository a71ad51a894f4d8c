"""Rules and dashboard speak of metrics that we have."""

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import yaml

from hypershift.operators.hypershift.fleet_metrics import clusters, pools, proofs
from hypershift.operators.hypershift.fleet_metrics.family import Fleet
from hypershift.operators.hypershift.fleet_metrics.transitions import Transitions
from hypershift.runtime import Metrics

PLACE = Path(__file__).parents[3] / "docs" / "observability"
RULES = PLACE / "prometheus-rules.yaml"
DASHBOARD = PLACE / "grafana-dashboard.json"
NAME = re.compile(r"\b((?:hypershift|hosted_cluster|ign_server)_[a-z_]+)\b")
#: Metrics of servers, which have registries of their own.
OTHERS = {"ign_server_get_request_total", "hypershift_operator_info"}


def served() -> set[str]:
    """The name of every series that the operator can serve."""
    now = datetime(2026, 1, 1, tzinfo=UTC)
    families = [
        *Metrics().registry.collect(),
        *clusters.families(Fleet(), now),
        *pools.families(Fleet(), now),
        *proofs.families(()),
        *Transitions(*clusters.TRANSITIONS, now).families([], now),
        *Transitions(*pools.TRANSITIONS, now).families([], now),
    ]
    found = set(OTHERS)
    for family in families:
        endings = {"counter": ("_total",), "histogram": ("_bucket", "_sum", "_count", "")}
        found |= {f"{family.name}{end}" for end in endings.get(family.type, ("",))}
    return found


def expressions() -> Iterator[str]:
    for group in yaml.safe_load(RULES.read_text())["groups"]:
        yield from (rule["expr"] for rule in group["rules"])
    for panel in json.loads(DASHBOARD.read_text())["panels"]:
        yield from (target["expr"] for target in panel["targets"])


def test_every_metric_that_is_used_exists() -> None:
    used = {name for expression in expressions() for name in NAME.findall(expression)}
    assert used
    assert used - served() == set()


def test_every_metric_that_is_documented_exists() -> None:
    page = (PLACE / "README.md").read_text()
    documented = {name for name in re.findall(r"`([a-z_]+)`", page) if NAME.fullmatch(name)}
    assert {name for name in documented if not name.endswith("_")} <= served()


def test_every_gauge_about_the_fleet_is_documented() -> None:
    page = (PLACE / "README.md").read_text()
    now = datetime(2026, 1, 1, tzinfo=UTC)
    gauges = [*clusters.families(Fleet(), now), *pools.families(Fleet(), now)]
    assert [one.name for one in gauges if f"`{one.name}`" not in page] == []


def test_rules_have_names_and_alerts_say_what_is_wrong() -> None:
    for group in yaml.safe_load(RULES.read_text())["groups"]:
        for rule in group["rules"]:
            assert ("alert" in rule) != ("record" in rule)
            if "alert" in rule:
                assert rule["annotations"]["summary"]
                assert rule["labels"]["severity"] in ("critical", "warning")
