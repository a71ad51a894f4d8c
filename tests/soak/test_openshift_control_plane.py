"""OpenShift's own programs under our manifests: pods run, and the hosted API is OpenShift's.

The programs are of different releases and several images of a release are missing (`hypershift
payload build --product openshift` says which): this proves that manifests are understood, and
nothing about a release. Run by hand, after `make openshift-parts`.
"""

import json
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tests.e2e.embedded import Cluster, Manifest, until
from tests.e2e.hosted import Hosted
from tests.soak import openshift
from tests.soak.openshift import LIVING

from hypershift.payload.openshift import VERSION
from hypershift.payload.openshift.images import IMAGES

pytestmark = [pytest.mark.soak, pytest.mark.timeout(2400)]

NAME, PROJECT = "openshift", "demo"
PATIENCE = 600.0
CONSTRAINT, RIGHTS = "openshift.io/scc", "rbac.authorization.k8s.io"
BUILT = [component for component in LIVING if openshift.built(component)]


@pytest.fixture(scope="module")
def hosted(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosted]:
    if lacking := openshift.lacking():
        pytest.skip(f"make openshift-parts builds {', '.join(lacking)}")
    made = Hosted(cluster, NAME, tmp_path_factory.mktemp("openshift"))
    try:
        openshift.create(made, openshift.push(cluster))
        yield made
    finally:
        openshift.destroy(made)


@pytest.fixture(scope="module")
def guest(hosted: Hosted) -> Hosted:
    """The same cluster once OpenShift's own APIs answer in it."""
    hosted.until(
        lambda: api(hosted, "v1.route.openshift.io"), "APIs of OpenShift", seconds=PATIENCE
    )
    return hosted


@pytest.fixture(scope="module")
def project(guest: Hosted) -> Iterator[str]:
    """A project that was asked for as users do."""
    request = {"apiVersion": "project.openshift.io/v1", "kind": "ProjectRequest"}
    body = {**request, "metadata": {"name": PROJECT}, "displayName": "a demonstration"}
    guest.kubectl("create", "-f", "-", feed=json.dumps(body))
    yield PROJECT
    guest.kubectl("delete", "namespace", PROJECT, "--wait=false")


def api(hosted: Hosted, name: str) -> bool:
    """Whether the server behind an APIService answers."""
    found = hosted.try_kubectl("get", "apiservice", name, "-o", "json")
    if found.returncode:
        return False
    conditions = json.loads(found.stdout).get("status", {}).get("conditions", ())
    return any(one["type"] == "Available" and one["status"] == "True" for one in conditions)


def told(hosted: Hosted, read: Callable[[Manifest], Any], *what: str) -> Any:
    """What an object of the guest says, once it says anything."""
    return until(lambda: read(hosted.get(*what)), seconds=120)


@pytest.mark.parametrize("component", BUILT)
def test_a_component_runs_with_our_manifests(hosted: Hosted, component: str) -> None:
    def running() -> bool:
        pods = [pod for pod in hosted.pods() if pod_of(pod) == component]
        ready = [one for pod in pods for one in openshift.containers_of(pod).values()]
        return bool(ready) and all(one["ready"] for one in ready)

    hosted.until(running, f"{component} that runs", lambda: states(hosted), seconds=PATIENCE)


def pod_of(pod: Manifest) -> str:
    labels = pod["metadata"].get("labels") or {}
    return str(labels.get("app", labels.get("name", "")))


def states(hosted: Hosted) -> dict[str, Any]:
    """What waits, for the complaint."""
    return {
        f"{pod['metadata']['name']}/{name}": one["state"]
        for pod in hosted.pods()
        for name, one in openshift.containers_of(pod).items()
        if not one["ready"]
    }


def test_the_api_server_is_the_fork(guest: Hosted) -> None:
    version = json.loads(guest.kubectl("version", "-o", "json"))["serverVersion"]
    (hyperkube,) = (one for one in IMAGES if one.name == "hyperkube")
    assert version["gitVersion"] == f"v{hyperkube.versions['kubernetes']}"


def test_a_project_is_made_on_request(guest: Hosted, project: str) -> None:
    found = guest.get("projects.project.openshift.io", project)
    assert found["metadata"]["annotations"]["openshift.io/display-name"] == "a demonstration"
    bindings = {one["roleRef"]["name"] for one in guest.get("rolebindings", "-n", project)}
    assert "admin" in bindings


needs_ranges = pytest.mark.skipif(
    "cluster-policy-controller" not in BUILT, reason="cluster-policy-controller was not built"
)


@needs_ranges
def test_a_project_gets_a_range_of_users(guest: Hosted, project: str) -> None:
    """The cluster policy controller allocates it."""
    marks = told(
        guest,
        lambda found: {
            key: value
            for key, value in found["metadata"]["annotations"].items()
            if key.startswith("openshift.io/sa.scc.")
        },
        "namespace",
        project,
    )
    assert {"openshift.io/sa.scc.uid-range", "openshift.io/sa.scc.mcs"} <= marks.keys()
    sys.stderr.write(f"{project}: {marks}\n")


def test_a_route_gets_a_host_name(guest: Hosted, project: str) -> None:
    route = {
        "apiVersion": "route.openshift.io/v1",
        "kind": "Route",
        "metadata": {"name": "web", "namespace": project},
        "spec": {"to": {"kind": "Service", "name": "web"}},
    }
    guest.apply(route)
    host = guest.get("route", "web", "-n", project)["spec"]["host"]
    assert host == f"web-{project}.apps.{NAME}.example.test"


def test_an_image_stream_knows_its_registry(guest: Hosted, project: str) -> None:
    stream = {
        "apiVersion": "image.openshift.io/v1",
        "kind": "ImageStream",
        "metadata": {"name": "app", "namespace": project},
        "spec": {"lookupPolicy": {"local": True}},
    }
    guest.apply(stream)
    found = guest.get("imagestream", "app", "-n", project)
    assert found["status"]["dockerImageRepository"].endswith(f"/{project}/app")


@needs_ranges
def test_pods_are_admitted_by_a_constraint(guest: Hosted, project: str) -> None:
    """A restricted one for everybody, another one for an account that was given it."""
    account = {"kind": "ServiceAccount", "metadata": {"name": "root", "namespace": project}}
    user = {"kind": "ServiceAccount", "name": "root", "namespace": project}
    everybody = {"kind": "Group", "name": f"system:serviceaccounts:{project}"}
    guest.apply(
        {"apiVersion": "v1", **account},
        a_binding(project, "system:openshift:scc:anyuid", user),
        a_binding(project, "edit", {**everybody, "apiGroup": RIGHTS}),
    )
    for name, wanted in (("default", "restricted-v2"), ("root", "anyuid")):
        who = f"--as=system:serviceaccount:{project}:{name}"
        guest.kubectl("create", "-f", "-", who, feed=json.dumps(a_pod(project, name)))
        found = guest.get("pod", name, "-n", project)
        assert found["metadata"]["annotations"][CONSTRAINT] == wanted


def a_binding(namespace: str, role: str, subject: Manifest) -> Manifest:
    return {
        "apiVersion": f"{RIGHTS}/v1",
        "kind": "RoleBinding",
        "metadata": {"name": role.rpartition(":")[2], "namespace": namespace},
        "roleRef": {"apiGroup": RIGHTS, "kind": "ClusterRole", "name": role},
        "subjects": [subject],
    }


def a_pod(namespace: str, account: str) -> Manifest:
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": account, "namespace": namespace},
        "spec": {
            "serviceAccountName": account,
            "containers": [{"name": "main", "image": "registry.example/none"}],
        },
    }


def test_the_version_operator_reports(guest: Hosted) -> None:
    said = told(guest, lambda found: found["status"].get("history"), "clusterversion", "version")
    assert said[0]["version"] == VERSION
    sys.stderr.write(guest.kubectl("get", "clusterversion,clusteroperators"))
