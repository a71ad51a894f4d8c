"""kube-scheduler in both products."""

import json

from tests.unit.component.clusters import a_view, flags

from hypershift.component import View, render
from hypershift.controlplane import kube_scheduler
from hypershift.kit import Manifest


def config(view: View) -> Manifest:
    found = next(m for m in render(kube_scheduler.KUBERNETES, view) if m["kind"] == "ConfigMap")
    document: Manifest = json.loads(found["data"]["config.json"])
    return document


def test_the_default_profile_leaves_the_schedulers_own_alone() -> None:
    assert "profiles" not in config(a_view())


def test_high_utilization_packs_nodes() -> None:
    view = a_view(configuration={"scheduler": {"profile": "HighNodeUtilization"}})
    profile = config(view)["profiles"][0]
    strategy = profile["pluginConfig"][0]["args"]["scoringStrategy"]
    assert strategy["type"] == "MostAllocated"


def test_no_scoring_disables_every_score() -> None:
    view = a_view(configuration={"scheduler": {"profile": "NoScoring"}})
    assert config(view)["profiles"][0]["plugins"]["score"] == {"disabled": [{"name": "*"}]}


def test_profiling_flag_appears_when_the_cluster_disables_profiling() -> None:
    view = a_view(annotations={"disable-profiling": "kube-apiserver,kube-scheduler"})
    found = render(kube_scheduler.KUBERNETES, view)[-1]
    assert flags(found, "kube-scheduler")["profiling"] == "false"
    assert "profiling" not in flags(
        render(kube_scheduler.KUBERNETES, a_view())[-1], "kube-scheduler"
    )
