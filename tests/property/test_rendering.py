"""What holds for every cluster that can be asked for."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.golden.scenarios import TYPES, objects, platforms
from tests.unit.component.clusters import a_view

from hypershift.api import encode
from hypershift.component import View, render, runs
from hypershift.controlplane import catalog
from hypershift.kit import Manifest
from hypershift.release import Product

NAMES = st.from_regex(r"[a-z]([a-z0-9-]{0,10}[a-z0-9])?", fullmatch=True)
#: Every platform that a cluster can be on, with a section that says what its programs need.
PLATFORMS: tuple[dict[str, Any], ...] = (
    *({"type": kind} for kind in ("Local", "None", "Agent")),
    {"type": "AWS", "aws": {}},
    *(
        {"type": TYPES.get(kind := name.partition("-")[0], "Azure"), kind: section}
        for name, section in platforms().items()
    ),
)
SERVICES = ("APIServer", "Konnectivity", "Ignition", "OAuthServer")
WAYS = ({"type": "Route"}, {"type": "NodePort", "nodePort": {"address": "192.0.2.1"}})


@st.composite
def wishes(draw: st.DrawFn) -> dict[str, Any]:
    """What a view is made of; a view itself is too large to be printed for a failed example."""
    return {
        "product": draw(st.sampled_from(Product)),
        "annotations": draw(
            st.fixed_dictionaries(
                {},
                optional={
                    "disable-profiling": st.sampled_from(["kube-scheduler", "kube-apiserver"]),
                    "debug-deployments": st.sampled_from(["etcd", "kube-scheduler"]),
                    "restart-date": NAMES,
                },
            )
        ),
        "controllerAvailabilityPolicy": draw(st.sampled_from(["SingleReplica", "HighlyAvailable"])),
        "platform": draw(st.sampled_from(PLATFORMS)),
        "labels": draw(st.dictionaries(NAMES, NAMES, max_size=2)),
        "configuration": {
            "apiServer": {
                "tlsSecurityProfile": {
                    "type": draw(st.sampled_from(["Old", "Intermediate", "Modern"]))
                },
                "audit": {"profile": draw(st.sampled_from(["None", "Default"]))},
            },
            "scheduler": {"profile": draw(st.sampled_from(["", "NoScoring"]))},
        },
        "services": [
            {"service": service, "servicePublishingStrategy": draw(st.sampled_from(WAYS))}
            for service in SERVICES
        ],
    }


def every(view: View) -> list[Manifest]:
    chosen = (component for component in catalog(view.product) if runs(component, view))
    return [manifest for component in chosen for manifest in render(component, view)]


@settings(max_examples=40)
@given(wishes())
def test_rendering_twice_gives_the_same_objects_and_changes_nothing(wish: dict[str, Any]) -> None:
    view = a_view(**wish, objects=objects())
    before = encode(view.plane)
    assert every(view) == every(view)
    assert encode(view.plane) == before


@settings(max_examples=40)
@given(wishes())
def test_every_object_is_owned_named_once_and_in_the_namespace(wish: dict[str, Any]) -> None:
    view = a_view(**wish, objects=objects())
    found = every(view)
    names = [(one["kind"], one["metadata"]["name"]) for one in found]
    assert len(names) == len(set(names))
    for one in found:
        assert one["metadata"]["namespace"] == view.namespace
        # The original leaves the guest accounts' Secrets without an owner, and so do we.
        if not one["metadata"]["name"].endswith("-service-account-kubeconfig"):
            assert one["metadata"]["ownerReferences"][0]["uid"] == "hcp-uid"


@settings(max_examples=40)
@given(wishes())
def test_every_pod_is_restricted_and_complete(wish: dict[str, Any]) -> None:
    view = a_view(**wish, objects=objects())
    for one in every(view):
        if one["kind"] not in {"Deployment", "StatefulSet"}:
            continue
        spec = one["spec"]["template"]["spec"]
        volumes = {volume["name"] for volume in spec["volumes"]}
        claims = {c["metadata"]["name"] for c in one["spec"].get("volumeClaimTemplates", ())}
        assert spec["securityContext"]["runAsNonRoot"] is True
        for container in [*spec["containers"], *spec.get("initContainers", ())]:
            mounts = [mount["mountPath"] for mount in container.get("volumeMounts", ())]
            assert len(mounts) == len(set(mounts)), container["name"]
            assert {m["name"] for m in container.get("volumeMounts", ())} <= volumes | claims
            assert container["securityContext"]["capabilities"]["drop"] == ["ALL"]
            assert container["image"]
