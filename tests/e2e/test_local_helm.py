"""`helm install` of a chart, as users of any other cluster do it."""

import json
from pathlib import Path

import pytest
from tests.e2e.embedded import Cluster, run, until

from hypershift import parts

pytestmark = [pytest.mark.e2e]

DEPLOYMENT = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: {{ .Release.Name }}}
spec:
  replicas: {{ .Values.replicas }}
  selector: {matchLabels: {app: {{ .Release.Name }}}}
  template:
    metadata: {labels: {app: {{ .Release.Name }}}}
    spec:
      terminationGracePeriodSeconds: 0
      containers:
      - {name: main, image: {{ .Values.image | quote }}, command: [sleep, "100000"]}
"""


def test_a_chart_is_installed_and_removed(cluster: Cluster, tmp_path: Path) -> None:
    try:
        helm = parts.path("helm")
    except parts.PartMissing:
        pytest.skip("helm is an optional part: `hypershift parts fetch helm` gets it")
    chart = tmp_path / "chart"
    (chart / "templates").mkdir(parents=True)
    (chart / "Chart.yaml").write_text("apiVersion: v2\nname: e2e\nversion: 1.0.0\n")
    (chart / "values.yaml").write_text("replicas: 1\n")
    (chart / "templates" / "deployment.yaml").write_text(DEPLOYMENT)

    def type_helm(*words: str) -> str:
        own = {"HELM_CACHE_HOME": str(tmp_path), "HELM_CONFIG_HOME": str(tmp_path)}
        flags = (f"--kubeconfig={cluster.where.admin}", "--namespace", namespace)
        return run((str(helm), *words, *flags), environment=own).stdout

    with cluster.namespace("e2e-helm") as namespace:
        values = ("--set", f"image={cluster.busybox}", "--set", "replicas=2")
        type_helm("install", "demo", str(chart), *values, "--wait", "--timeout", "90s")
        (release,) = json.loads(type_helm("list", "-o", "json"))
        assert (release["name"], release["status"]) == ("demo", "deployed")
        found = cluster.get("deployment", "demo", "-n", namespace)
        assert found["status"]["readyReplicas"] == 2
        type_helm("uninstall", "demo", "--wait")
        until(lambda: not cluster.get("pods", "-n", namespace, "-l", "app=demo"), 30)
