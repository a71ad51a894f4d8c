"""What the API server lists is counted page by page; servers of the guest's own are left out."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from hypershift.controlplane.etcd.proof import served

DOCUMENTS: dict[str, dict[str, Any]] = {
    "/apis": {
        "groups": [
            {"name": "apps", "preferredVersion": {"version": "v1"}},
            {"name": "metrics.k8s.io", "preferredVersion": {"version": "v1beta1"}},
        ]
    },
    "/api/v1": {
        "resources": [
            {"name": "secrets", "verbs": ["get", "list"]},
            {"name": "pods/log", "verbs": ["get"]},
            {"name": "bindings", "verbs": ["create"]},
            {"name": "componentstatuses", "verbs": ["list"]},
        ]
    },
    "/apis/apps/v1": {"resources": [{"name": "deployments", "verbs": ["list"]}]},
}


def get(path: str, accept: str) -> dict[str, Any]:
    del accept
    if path not in DOCUMENTS:
        raise served.Failed(503, "no server")
    return DOCUMENTS[path]


def test_resources_that_are_stored_are_found() -> None:
    assert [one.path for one in served.resources(get)] == [
        "/api/v1/secrets",
        "/apis/apps/v1/deployments",
    ]


@pytest.mark.parametrize("count", [0, 1, 500, 1001])
def test_objects_are_counted_over_pages(count: int) -> None:
    asked: list[dict[str, list[str]]] = []

    def pages(path: str, accept: str) -> dict[str, Any]:
        assert accept == served.METADATA
        query = parse_qs(urlsplit(path).query)
        asked.append(query)
        start, most = int(query.get("continue", ["0"])[0]), int(query["limit"][0])
        end = min(start + most, count)
        return {
            "items": [{}] * (end - start),
            "metadata": {"continue": str(end) if end < count else ""},
        }

    assert served.count(pages, served.Listed("", "v1", "secrets"), 7) == count
    assert asked[0]["resourceVersion"] == ["7"]
    assert asked[0]["resourceVersionMatch"] == ["Exact"]
    # A continue token has the revision in it, and the server refuses both.
    assert all("resourceVersion" not in one for one in asked[1:])
