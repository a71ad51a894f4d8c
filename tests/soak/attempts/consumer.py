"""What a consumer types at the management cluster, and may not."""

import base64
import copy
import json

from tests.e2e.embedded import Manifest, until
from tests.soak.attempts.attempt import Attempt
from tests.soak.attempts.network import UNAUTHORIZED, management_api
from tests.soak.party import Party


def as_consumer(*words: str) -> Attempt:
    """A kubectl of the consumer; {me}, {other} and the planes' names are filled in."""

    def attempt(me: Party, other: Party) -> str:
        filled = {
            "mine": me.cluster.namespace,
            "theirs": other.cluster.namespace,
            "my_plane": me.cluster.plane,
            "their_plane": other.cluster.plane,
            "cluster": me.cluster.name,
            "their_cluster": other.cluster.name,
        }
        return me.gains(*(word.format(**filled) for word in words))

    return attempt


def annotated(annotation: str, value: str) -> Attempt:
    words = ("annotate", "hostedcluster", "{cluster}", "-n", "{mine}", "--overwrite")
    return as_consumer(*words, f"{annotation}={value}")


def patched(patch: Manifest) -> Attempt:
    text = json.dumps(patch).replace("{", "{{").replace("}", "}}")
    return as_consumer(
        "patch", "hostedcluster", "{cluster}", "-n", "{mine}", "--type=merge", "-p", text
    )


def makes_a_token(me: Party, other: Party) -> str:
    """A Secret of the consumer asks for a token of the namespace's service account."""
    secret: Manifest = {
        "apiVersion": "v1",
        "kind": "Secret",
        "type": "kubernetes.io/service-account-token",
        "metadata": {
            "name": "token",
            "namespace": me.cluster.namespace,
            "annotations": {"kubernetes.io/service-account.name": "default"},
        },
    }
    done = me.kubectl("apply", "-f", "-", feed=json.dumps(secret))
    if done.returncode:
        return ""
    words = ("secret", "token", "-n", me.cluster.namespace)
    data = until(lambda: me.management.get(*words).get("data", {}).get("token"), 30)
    token = base64.b64decode(data).decode()
    (host, port), *_ = management_api(me, other)
    url = f"https://{host}:{port}/api/v1/namespaces/{other.cluster.plane}/secrets"
    code = me.machine.ask(url, f"Authorization: Bearer {token}")
    me.kubectl("delete", *words)
    return f"Secrets: {code}" if code not in UNAUTHORIZED else ""


def claims_the_plane(me: Party, other: Party) -> str:
    """Order a cluster whose control plane namespace is the other's, by a name with a dash."""
    name = other.cluster.plane.removeprefix(f"{me.cluster.namespace}-")
    namespace = other.cluster.plane
    if name == namespace:
        return ""  # the names do not meet in this direction
    before = me.management.get("namespace", namespace)["metadata"]
    manifest = copy.deepcopy(me.cluster.resource())
    manifest["metadata"] = {"name": name, "namespace": me.cluster.namespace}
    manifest.pop("status", None)
    for key in ("clusterID", "infraID", "services", "issuerURL"):
        manifest["spec"].pop(key, None)
    manifest["spec"]["services"] = me.cluster.resource()["spec"]["services"]
    done = me.kubectl("create", "-f", "-", feed=json.dumps(manifest))
    if done.returncode:
        return "" if "denied" in done.stderr or "Invalid" in done.stderr else done.stderr
    words = ("hostedcluster", name, "-n", me.cluster.namespace)
    try:
        until(lambda: _is_refused(me.management.get(*words)), 60)
    finally:
        me.kubectl("delete", *words, "--timeout=120s")
    after = me.management.get("namespace", namespace)["metadata"]
    same = after["uid"] == before["uid"] and after["annotations"] == before["annotations"]
    return "" if same and "deletionTimestamp" not in after else f"{after}"


def _is_refused(cluster: Manifest) -> bool:
    found = {each["type"]: each for each in cluster.get("status", {}).get("conditions", [])}
    return found.get("Available", {}).get("status") != "True" and any(
        each["status"] == "False" and "namespace" in each["message"] for each in found.values()
    )
