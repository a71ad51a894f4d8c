"""The scratch namespace: take a turn, fill it, and leave it.

Its name is the turn. It is created by whoever proves next, which the API server lets one do; what
is in it goes with it. One that nobody needs any more is deleted by whoever waits.
"""

from base64 import b64encode
from datetime import timedelta

from hypershift.api import HostedControlPlane, read
from hypershift.api.conditions import RestoreProofReason, unknown
from hypershift.api.etcd_backup import S3Storage
from hypershift.api.secret_keys import DOCKER_CONFIG
from hypershift.cloud import stores
from hypershift.controlplane.etcd import snapshot
from hypershift.kit import Key, Manifest, Secret, annotations_of, data_of
from hypershift.kube import AlreadyExists, kinds
from hypershift.operators.hypershift.etcd_backup import names
from hypershift.operators.hypershift.etcd_backup.proof.rules import manifests
from hypershift.operators.hypershift.etcd_backup.proof.rules.choice import (
    PROVEN,
    is_decided,
    key_in_bucket,
)
from hypershift.operators.hypershift.etcd_backup.proof.scope import ProofScope
from hypershift.operators.hypershift.etcd_backup.rules.credentials import (
    BUNDLE,
    FILE,
    Mode,
    aws_credentials,
)
from hypershift.operators.hypershift.etcd_backup.rules.job import USER
from hypershift.operators.hypershift.etcd_backup.scope import BackupScope
from hypershift.release import Product
from hypershift.runtime import Done, Outcome, Stop

AGAIN = timedelta(seconds=15)
#: How long the signed addresses hold: a proof fetches at its beginning.
LASTS = timedelta(hours=1)
PULL_SECRET = "pull-secret"  # noqa: S105 (a name)


async def take_turn(scope: ProofScope) -> Outcome:
    """Create the scratch namespace, or wait while another backup has it."""
    found = await scope.context.live.find(kinds.NAMESPACE, scope.scratch)
    if found is not None and _is_own(scope, found):
        ends = found["metadata"].get("deletionTimestamp")
        return _wait(scope, "an earlier proof is being cleaned up") if ends else Done()
    if found is not None:
        return _wait(scope, await _others(scope, found))
    wanted = manifests.namespace(scope.scratch, scope.key, scope.object["metadata"]["uid"])
    try:
        await scope.kube.create(wanted)
    except AlreadyExists:
        return _wait(scope, "another backup is being proven")
    return Done()


async def _others(scope: ProofScope, found: Manifest) -> str:
    """What is waited for; a namespace that no proof needs any more is deleted."""
    if not (holder := annotations_of(found).get(manifests.BACKUP)):
        return f"namespace {scope.scratch} is there and was not made for a proof"
    if found["metadata"].get("deletionTimestamp"):
        return "an earlier proof is being cleaned up"
    if not await _is_abandoned(scope, found):
        return f"backup {holder} is being proven"
    await scope.kube.delete(kinds.NAMESPACE, scope.scratch)
    return "an earlier proof is being cleaned up"


def _wait(scope: ProofScope, why: str) -> Outcome:
    scope.conditions.set(unknown(PROVEN, RestoreProofReason.WAITING, why))
    return Stop(RestoreProofReason.WAITING, why, after=AGAIN)


def _is_own(scope: BackupScope, found: Manifest) -> bool:
    return annotations_of(found).get(manifests.BACKUP_UID) == str(scope.object["metadata"]["uid"])


async def _is_abandoned(scope: ProofScope, found: Manifest) -> bool:
    """Whether the backup that has the turn is gone or decided: its operator died before."""
    marks = annotations_of(found)
    namespace, _, name = marks[manifests.BACKUP].partition("/")
    key = Key(namespace, name)
    holder = await scope.context.live.find(kinds.HCP_ETCD_BACKUP, key.name, key.namespace)
    if holder is None or holder["metadata"]["uid"] != marks.get(manifests.BACKUP_UID):
        return True
    return is_decided(holder)


async def delete_scratch(scope: BackupScope) -> None:
    """Delete the scratch namespace of this backup; without one there is nothing to write."""
    name = names.scratch_namespace(scope.operator_namespace)
    found = await scope.context.live.find(kinds.NAMESPACE, name)
    if found and _is_own(scope, found) and not found["metadata"].get("deletionTimestamp"):
        await scope.kube.delete(kinds.NAMESPACE, name)


async def give_up(scope: BackupScope) -> Outcome:
    """End the proof of a backup that is being deleted."""
    await delete_scratch(scope)
    return Done()


async def start(scope: ProofScope) -> Outcome:
    """Fill the namespace and start the Job."""
    order, problem = await _order(scope)
    if order is None:
        scope.conditions.set(unknown(PROVEN, RestoreProofReason.NOT_SUPPORTED, problem))
        return Stop(RestoreProofReason.NOT_SUPPORTED, problem, after=timedelta(seconds=1))
    for manifest in manifests.objects(order):
        await scope.kube.apply(manifest)
    try:
        await scope.kube.create(manifests.job(order))
    except AlreadyExists:
        scope.log.debug("the Job is there already")
    text = "the backup is being restored in a scratch control plane"
    scope.conditions.set(unknown(PROVEN, RestoreProofReason.IN_PROGRESS, text))
    return Stop("JobStarted", after=timedelta(seconds=5))


async def _order(scope: ProofScope) -> tuple[manifests.Order | None, str]:
    """What the scratch control plane is made from, or why there can be none."""
    s3 = scope.backup.spec.storage.s3
    if s3 is None:
        return None, "no address of Azure's Blob Storage can be signed for a proof"
    credentials, problem = await _credentials(scope, s3)
    if credentials is None:
        return None, problem
    pull_secret = await scope.kube.find(kinds.SECRET, PULL_SECRET, scope.namespace)
    spec = read(HostedControlPlane, scope.plane).spec
    content = Secret(data_of(pull_secret, DOCKER_CONFIG))
    release = await scope.environment.releases.lookup(spec.release_image, content)
    if release.product is Product.OPENSHIFT:
        return None, "a proof starts etcd and API servers of Kubernetes releases alone"
    try:
        inputs = _inputs(scope, s3, credentials)
    except stores.StoreFailed as error:
        return None, str(error)
    networking = spec.networking
    networks = [one.cidr for one in (networking and networking.service_network) or ()]
    return manifests.Order(
        namespace=scope.scratch,
        backup=scope.key,
        uid=scope.object["metadata"]["uid"],
        image=scope.environment.settings.image,
        etcd_image=release.find("etcd"),
        api_image=release.find("kube-apiserver"),
        service_network=next(iter(networks), "172.31.0.0/16"),
        inputs=inputs,
        pull_secret=((pull_secret or {}).get("data") or {}).get(DOCKER_CONFIG, ""),
        has_bundle=BUNDLE in inputs,
        kept_from=manifests.kept_from(await scope.kube.list(kinds.NETWORK_POLICY, scope.namespace)),
        user=None if scope.environment.openshift else USER,
    ), ""


async def _credentials(scope: ProofScope, s3: S3Storage) -> tuple[Manifest | None, str]:
    if not key_in_bucket(scope.backup):
        return None, "the address of the snapshot is not in the bucket of the backup"
    name, space = s3.credentials.name, scope.operator_namespace
    found = await scope.context.live.find(kinds.SECRET, name, space)
    if found is None:
        return None, f'credential Secret "{name}" not found in namespace "{space}"'
    if aws_credentials(found).mode is not Mode.AWS_STATIC:
        return None, "addresses for a proof are signed with keys, and the credentials are a role"
    if names.MANIFEST_KEY not in (found.get("data") or {}):
        text = f'credential Secret "{name}" has no key "{names.MANIFEST_KEY}"'
        return None, f"{text}: the backup has no manifest, without which nothing can be restored"
    return found, ""


def _inputs(scope: ProofScope, s3: S3Storage, credentials: Manifest) -> dict[str, str]:
    """The content of the Secret of inputs."""
    text = data_of(credentials, FILE).decode(errors="replace")
    keys = stores.keys_from_text(text, f"credential Secret {s3.credentials.name}")
    endpoint = stores.endpoint_from_text(text)
    bucket = stores.Bucket(s3.bucket, s3.region, keys, endpoint=endpoint, clock=scope.clock.now)
    key = key_in_bucket(scope.backup)
    suffixes = ("", snapshot.LIST_SUFFIX, snapshot.MANIFEST_SUFFIX)
    addresses = (bucket.presigned(key + suffix, LASTS) for suffix in suffixes)
    inputs = {
        name: b64encode(address.encode()).decode()
        for name, address in zip(manifests.ADDRESSES, addresses, strict=True)
    }
    given = credentials.get("data") or {}
    inputs[manifests.MANIFEST_KEY] = given[names.MANIFEST_KEY]
    return inputs | ({BUNDLE: given[BUNDLE]} if BUNDLE in given else {})
