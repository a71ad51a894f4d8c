"""What the API costs: importing it, decoding a large cluster, generating every CRD."""

import json
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import msgspec
from tests.bench.figure import Figure

from hypershift.api import HostedCluster
from hypershift.api.conditions import ControlPlaneCondition, HostedClusterCondition
from hypershift.api.view import decode

KIB = 1024


def figures() -> list[Figure]:
    """Every budget of the API, measured now, in CPU time: neighbours do not count."""
    return [_import_time(), _decode_ratio(), _generation_time()]


def a_large_cluster(size: int = 20 * KIB) -> bytes:
    """A HostedCluster of about that many bytes: mostly conditions and lists, as busy ones are."""
    types = [str(each) for each in (*HostedClusterCondition, *ControlPlaneCondition)]
    cluster: dict[str, Any] = {
        "apiVersion": "hypershift.openshift.io/v1beta1",
        "kind": "HostedCluster",
        "metadata": {"name": "demo", "namespace": "clusters", "generation": 4},
        "spec": {
            "etcd": {
                "managementType": "Managed",
                "managed": {"storage": {"type": "PersistentVolume"}},
            },
            "networking": {"clusterNetwork": [{"cidr": "10.132.0.0/14"}]},
            "platform": {"type": "None"},
            "pullSecret": {"name": "pull"},
            "release": {"image": "registry.example.com/release:1"},
            "services": [],
            "imageContentSources": [],
        },
        "status": {"conditions": [_condition(each) for each in types]},
    }
    while len(body := msgspec.json.encode(cluster)) < size:
        place = len(cluster["spec"]["imageContentSources"])
        source = {"source": f"quay.io/a/{place}", "mirrors": [f"mirror.example.com/{place}"]}
        cluster["spec"]["imageContentSources"].append(source)
    return body


def _condition(type_: str) -> dict[str, Any]:
    return {
        "type": type_,
        "status": "True",
        "reason": "AsExpected",
        "message": "All is well",
        "lastTransitionTime": "2026-01-01T12:00:00Z",
        "observedGeneration": 4,
    }


def _best(work: Callable[[], object], rounds: int = 7, repeat: int = 50) -> float:
    """CPU seconds of one call, the best of several rounds."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        for _ in range(repeat):
            work()
        times.append((time.process_time() - start) / repeat)
    return min(times)


def _decode_ratio() -> Figure:
    body = a_large_cluster()
    typed = _best(lambda: decode(HostedCluster, body))
    plain = min(_best(lambda: msgspec.json.decode(body)), _best(lambda: json.loads(body)))
    return Figure("decode 20 KiB HostedCluster / plain JSON", typed / plain, "x", most=3.0)


def _generation_time() -> Figure:
    work = "from hypershift.api.schema import files; files()"
    return Figure("generate all CRDs, from a cold start", _cold(work), "s", most=2.0)


def _import_time() -> Figure:
    return Figure("import hypershift.api", _cold("import hypershift.api") * 1000, "ms", most=150)


def _cold(work: str) -> float:
    """CPU seconds of some code in a new interpreter, the best of a few."""
    code = f"import time; t = time.process_time(); {work}; print(time.process_time() - t)"
    command = [sys.executable, "-c", code]
    runs = (subprocess.run(command, capture_output=True, text=True, check=True) for _ in range(4))
    return min(float(run.stdout) for run in runs)
