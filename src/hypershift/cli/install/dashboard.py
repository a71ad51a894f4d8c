"""The dashboard that the operator makes for each hosted cluster: names are placeholders."""

import json

from hypershift.kit import Manifest

PLANE = 'namespace="__CONTROL_PLANE_NAMESPACE__"'
SCRAPED = 'job="kubelet", metrics_path="/metrics/cadvisor"'
CPU = "node_namespace_pod_container:container_cpu_usage_seconds_total:sum_irate"
SOURCE = "$datasource"


def dashboard_template(namespace: str) -> Manifest:
    """The ConfigMap that holds it."""
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "monitoring-dashboard-template", "namespace": namespace},
        "data": {"template": json.dumps(dashboard(), indent=4)},
    }


def dashboard() -> Manifest:
    memory = f'container_memory_rss{{{SCRAPED}, cluster="$cluster", container!="", {PLANE}}}'
    return {
        "title": "Hosted Control Planes / __NAMESPACE__ / __NAME__",
        "tags": ["hosted-control-planes"],
        "annotations": {"list": []},
        "links": [],
        "editable": True,
        "gnetId": None,
        "graphTooltip": 0,
        "hideControls": False,
        "refresh": "10s",
        "schemaVersion": 14,
        "style": "dark",
        "time": {"from": "now-1h", "to": "now"},
        "timepicker": {
            "refresh_intervals": ["5s", "10s", "30s", "1m", "5m", "15m", "30m", "1h", "2h", "1d"],
            "time_options": ["5m", "15m", "1h", "6h", "12h", "24h", "2d", "7d", "30d"],
        },
        "timezone": "UTC",
        "version": 0,
        "templating": {"list": [_datasource(), _cluster()]},
        "rows": [
            _row(7, "CPU", "CPU Usage", "short", f'{CPU}{{cluster="$cluster", {PLANE}}}'),
            _row(9, "Memory", "Memory Usage (w/o cache)", "bytes", memory),
        ],
    }


def _row(number: int, title: str, panel: str, unit: str, series: str) -> Manifest:
    return {
        "title": title,
        "titleSize": "h6",
        "showTitle": True,
        "collapse": False,
        "height": "250px",
        "repeat": None,
        "repeatIteration": None,
        "repeatRowId": None,
        "panels": [_panel(number, panel, unit, f"sum({series}) by (pod)")],
    }


def _panel(number: int, title: str, unit: str, query: str) -> Manifest:
    hidden = ("avg", "current", "max", "min", "total", "values")
    return {
        "id": number,
        "title": title,
        "type": "graph",
        "renderer": "flot",
        "datasource": SOURCE,
        "interval": "1m",
        "span": 12,
        "targets": [_target(query)],
        "legend": {
            "show": True,
            "alignAsTable": True,
            "rightSide": True,
            **dict.fromkeys(hidden, False),
        },
        "tooltip": {"shared": False, "sort": 2, "value_type": "individual"},
        "xaxis": {"show": True, "mode": "time", "name": None, "buckets": None, "values": []},
        "yaxes": [_axis(unit, least=0, show=True), _axis("short", least=None, show=False)],
        "stack": True,
        "lines": True,
        "fill": 10,
        "linewidth": 0,
        "nullPointMode": "null as zero",
        "dashLength": 10,
        "spaceLength": 10,
        "pointradius": 5,
        **dict.fromkeys(("bars", "dashes", "percentage", "points", "steppedLine"), False),
        **dict.fromkeys(("timeFrom", "timeShift")),
        "aliasColors": {},
        "links": [],
        "seriesOverrides": [],
        "thresholds": [],
    }


def _target(query: str) -> Manifest:
    return {
        "expr": query,
        "format": "time_series",
        "intervalFactor": 2,
        "legendFormat": "{{pod}}",
        "legendLink": None,
    }


def _axis(unit: str, *, least: int | None, show: bool) -> Manifest:
    return {
        "format": unit,
        "label": None,
        "logBase": 1,
        "max": None,
        "min": least,
        "show": show,
    }


def _datasource() -> Manifest:
    return {
        "name": "datasource",
        "label": "Data Source",
        "type": "datasource",
        "query": "prometheus",
        "current": {"text": "default", "value": "default"},
        "hide": 0,
        "options": [],
        "refresh": 1,
        "regex": "",
    }


def _cluster() -> Manifest:
    return {
        "name": "cluster",
        "label": None,
        "type": "query",
        "datasource": SOURCE,
        "query": f"label_values(up{{{SCRAPED}}}, cluster)",
        "current": {"text": "", "value": ""},
        "allValue": None,
        "includeAll": False,
        "multi": False,
        "hide": 0,
        "options": [],
        "refresh": 2,
        "regex": "",
        "sort": 1,
        "tags": [],
        "tagsQuery": "",
        "tagValuesQuery": "",
        "useTags": False,
    }
