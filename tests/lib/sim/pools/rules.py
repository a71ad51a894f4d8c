"""What must be true of node pools: at every moment, once all is quiet, and when they are gone."""

from collections.abc import Iterator

from tests.lib.sim.pools import cluster_api
from tests.lib.sim.pools.people import PLANE
from tests.lib.sim.server import SimServer
from tests.lib.sim.store import Commit

from hypershift.api import NodePool, read
from hypershift.ignition import token
from hypershift.kit import Key, Manifest, annotations_of, key_of
from hypershift.kube import kinds
from hypershift.operators.hypershift.node_pool import names
from hypershift.runtime import condition_of, is_true

#: What is made for a pool, beside its machines.
MADE = (
    kinds.SECRET,
    kinds.MACHINE_DEPLOYMENT,
    kinds.MACHINE_SET,
    kinds.MACHINE,
    kinds.MACHINE_HEALTH_CHECK,
    kinds.LOCAL_MACHINE_TEMPLATE,
)


class Watchman:
    """Sees every commit, and notes what must never be, not even for a moment."""

    def __init__(self, server: SimServer) -> None:
        """Watch a server."""
        self._server = server
        self.violations: list[str] = []
        self._wanted: dict[Key, set[int]] = {}
        self._full: dict[str, int] = {}
        server.store.listen(self._see)

    def _see(self, change: Commit) -> None:
        new = change.new.manifest if change.new else None
        if new is None:
            return
        if change.resource == kinds.NODE_POOL:
            self._ask(new)
        elif change.resource == kinds.MACHINE_DEPLOYMENT:
            self._deployment(new, change.old.manifest if change.old else None)
        if change.resource in (kinds.MACHINE, kinds.MACHINE_SET):
            for deployment in self._server.all(kinds.MACHINE_DEPLOYMENT):
                self._machines(deployment)

    def _ask(self, pool: Manifest) -> None:
        """Remember every number of machines that a pool ever asked for."""
        spec, asked = pool["spec"], self._wanted.setdefault(key_of(pool), set())
        if scaling := spec.get("autoScaling"):
            asked.update(range(scaling.get("min") or 0, scaling["max"] + 1))
        else:
            asked.add(spec.get("replicas") or 0)

    def _deployment(self, new: Manifest, old: Manifest | None) -> None:
        key = names.pool_key(annotations_of(new["spec"]["template"]))
        if key is None:
            self.violations.append(f"{new['metadata']['name']} belongs to no pool")
            return
        replicas = new["spec"].get("replicas") or 0
        if replicas not in self._wanted.get(key, set()):
            self.violations.append(f"{key} got {replicas} machines, which nobody asked for")
        if (
            old is not None
            and "rollout" in old["spec"]
            and (new["spec"].get("rollout") != old["spec"]["rollout"])
        ):
            self.violations.append(f"{key} changed its limits by itself")
        if old is None or (old["spec"].get("replicas") or 0) != replicas:
            self._full.pop(new["metadata"]["uid"], None)

    def _machines(self, deployment: Manifest) -> None:
        """Never more than surge allows; once full, never fewer than may be unavailable."""
        if "rollout" not in deployment["spec"]:
            return
        strategy, wanted = deployment["spec"]["rollout"]["strategy"], deployment["spec"]["replicas"]
        surge, unavailable = cluster_api.limits(strategy, wanted)
        sets = cluster_api.owned(self._server, kinds.MACHINE_SET, deployment)
        key, uid = key_of(deployment), deployment["metadata"]["uid"]
        most = max(self._wanted.get(Key("clusters", key.name), {0})) + surge
        asked = sum(one["spec"]["replicas"] for one in sets)
        if asked > most:
            self.violations.append(f"{key} has {asked} machines, more than {most}")
        ready = sum(cluster_api.ready_machines(self._server, one) for one in sets)
        if ready >= wanted:
            self._full[uid] = wanted
        elif self._full.get(uid) == wanted and ready < wanted - unavailable:
            self.violations.append(f"{key} has {ready} of {wanted} machines left in a rollout")
            self._full.pop(uid)


def complaints(server: SimServer) -> Iterator[str]:
    """What is wrong once all is quiet."""
    pools = {key_of(one): one for one in server.all(kinds.NODE_POOL)}
    for kind in MADE:
        for one in server.all(kind):
            key = names.pool_key(annotations_of(one))
            if key is not None and key not in pools:
                yield f"{kind.kind} {one['metadata']['name']} is left of pool {key}"
    for key, pool in pools.items():
        for complaint in (*_machines(server, pool), *_secrets(server, pool), *_status(pool)):
            yield f"{key}: {complaint}"


def _maker(server: SimServer, pool: Manifest) -> Manifest | None:
    in_place = pool["spec"]["management"]["upgradeType"] == "InPlace"
    kind = kinds.MACHINE_SET if in_place else kinds.MACHINE_DEPLOYMENT
    name = pool["metadata"]["name"]
    return next((one for one in server.all(kind) if one["metadata"]["name"] == name), None)


def _machines(server: SimServer, pool: Manifest) -> Iterator[str]:
    maker = _maker(server, pool)
    if maker is None:
        yield "nothing makes its machines"
        return
    spec, wanted = pool["spec"], maker["spec"].get("replicas") or 0
    if scaling := spec.get("autoScaling"):
        if not (scaling.get("min") or 0) <= wanted <= scaling["max"]:
            yield f"{wanted} machines are out of the autoscaler's range"
    elif wanted != (spec.get("replicas") or 0):
        yield f"{wanted} machines instead of {spec.get('replicas')}"
    mine = [
        one
        for one in server.all(kinds.MACHINE)
        if annotations_of(one).get(names.NODE_POOL) == names.pool_value(read(NodePool, pool))
    ]
    if len(mine) != wanted:
        yield f"there are {len(mine)} machines, {wanted} are wanted"
    data = maker["spec"]["template"]["spec"]["bootstrap"]["dataSecretName"]
    replaced = maker["kind"] == "MachineDeployment"
    if replaced and any(one["spec"]["bootstrap"]["dataSecretName"] != data for one in mine):
        yield "a machine is not of the newest configuration"
    limits = maker["spec"].get("rollout", {}).get("strategy", {}).get("rollingUpdate")
    if replaced and limits != spec["management"]["replace"]["rollingUpdate"]:
        yield f"its limits are {limits}"
    labels = {f"{names.MANAGED_LABEL}.{key}" for key in spec.get("nodeLabels") or ()}
    if replaced and any(not labels <= set(one["metadata"]["labels"]) for one in mine):
        yield "a machine lacks a label of its node"


def _secrets(server: SimServer, pool: Manifest) -> Iterator[str]:
    mine = names.pool_value(read(NodePool, pool))
    maker = _maker(server, pool)
    if maker is None:
        return
    data = maker["spec"]["template"]["spec"]["bootstrap"]["dataSecretName"]
    current = data.removeprefix("user-data-")
    for secret in server.all(kinds.SECRET):
        name, marks = secret["metadata"]["name"], annotations_of(secret)
        if marks.get(names.NODE_POOL) != mine or secret["metadata"]["namespace"] != PLANE:
            continue
        if name.startswith("user-data-") and name != data:
            yield f"{name} is of the past"
        expires = token.EXPIRES_AT in marks
        if name.startswith("token-") and expires == (name == f"token-{current}"):
            yield f"{name} {'expires' if expires else 'never expires'}"


def _status(pool: Manifest) -> Iterator[str]:
    for kind in ("UpdatingConfig", "UpdatingVersion", "UpdatingPlatformMachineTemplate"):
        if is_true(pool, kind):
            yield f"it is still {kind}"
    wanted = pool["spec"]["release"]["image"].rpartition(":")[2]
    if (pool.get("status") or {}).get("version") != wanted:
        yield f"its version is not {wanted}"
    for kind in ("ValidMachineConfig", "ValidReleaseImage", "ReachedIgnitionEndpoint"):
        if not is_true(pool, kind):
            yield f"{kind} is {condition_of(pool, kind)}"
