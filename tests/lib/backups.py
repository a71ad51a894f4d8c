"""A hosted cluster whose etcd is backed up, and the Jobs that back it up and prove backups."""

from base64 import b64encode

from tests.lib.planes import OLD
from tests.lib.stage import Stage

from hypershift.cli.main import HYPERSHIFT
from hypershift.kit import Key, Manifest
from hypershift.kube import Client, kinds
from hypershift.operators.hypershift import Settings, ownership

PLANE, HOME, OPERATOR = "clusters-blue", "clusters", "hypershift"
URL = "s3://bucket/blue/1763478000.db"


def settings(most: int = 5) -> Settings:
    return Settings(image="registry.example/hypershift:1", etcd_backup_max_count=most)


def secret(name: str, namespace: str, **data: str) -> Manifest:
    encoded = {key: b64encode(value.encode()).decode() for key, value in data.items()}
    metadata = {"name": name, "namespace": namespace}
    return {"apiVersion": "v1", "kind": "Secret", "metadata": metadata, "data": encoded}


async def a_world(stage: Stage, *, ready: int = 3, etcd: Manifest | None = None) -> None:
    """A HostedCluster with its control plane, and credentials beside the operator."""
    user = stage.user
    managed = {"storage": {"type": "PersistentVolume"}, **(etcd or {})}
    spec: Manifest = {
        "etcd": {"managementType": "Managed", "managed": managed},
        "release": {"image": OLD},
        "pullSecret": {"name": "pull"},
        "platform": {"type": "None"},
        "networking": {"clusterNetwork": [{"cidr": "10.132.0.0/14"}]},
        "services": [],
    }
    for space in (HOME, OPERATOR):
        await stage.create(kinds.NAMESPACE, space)
    cluster = await stage.create(
        kinds.HOSTED_CLUSTER, "blue", metadata={"namespace": HOME}, spec=spec
    )
    owner = ownership.Owner(Key(HOME, "blue"), cluster["metadata"]["uid"])
    await stage.create(kinds.NAMESPACE, PLANE, metadata={"annotations": ownership.mark(owner)})
    planes = spec | {"releaseImage": OLD, "infraID": "blue-x", "issuerURL": "https://x"}
    await stage.create(
        kinds.HOSTED_CONTROL_PLANE, "blue", metadata={"namespace": PLANE}, spec=planes
    )
    await user.create(secret("pull-secret", PLANE, **{".dockerconfigjson": "{}"}))
    await user.create(secret("store", OPERATOR, credentials="[default]\naws_access_key_id=x"))
    await stage.create(
        kinds.STATEFUL_SET, "etcd", metadata={"namespace": PLANE}, spec={"replicas": 3}
    )
    await be_ready(user, ready)


async def be_ready(user: Client, ready: int) -> None:
    patch = {"status": {"readyReplicas": ready}}
    await user.patch(kinds.STATEFUL_SET, "etcd", patch, PLANE, subresource="status")


def storage(credentials: str = "store") -> Manifest:
    """A bucket, with a Secret beside the operator."""
    s3 = {
        "bucket": "bucket",
        "region": "eu-west-1",
        "keyPrefix": "blue",
        "credentials": {"name": credentials},
    }
    return {"storageType": "S3", "s3": s3}


async def a_backup(
    stage: Stage, name: str = "daily", credentials: str = "store", **marks: str
) -> None:
    spec = {"storage": storage(credentials)}
    metadata = {"namespace": PLANE, "annotations": marks}
    await stage.create(kinds.HCP_ETCD_BACKUP, name, metadata=metadata, spec=spec)


def ended(container: str, message: str, *, code: int = 0) -> Manifest:
    """The status of a container that has ended."""
    return {"name": container, "state": {"terminated": {"exitCode": code, "message": message}}}


async def end_job(stage: Stage, name: str, namespace: str, kind: str, status: Manifest) -> None:
    """Play the Job's controller and kubelet: the Pod ends with a status, then the Job."""
    pod = f"{name}-x"
    labels = {"batch.kubernetes.io/job-name": name}
    metadata = {"namespace": namespace, "labels": labels}
    await stage.create(kinds.POD, pod, metadata=metadata, spec={"containers": []})
    patch = {"status": status}
    await stage.user.patch(kinds.POD, pod, patch, namespace, subresource="status")
    condition = {"type": kind, "status": "True", "message": "it has failed"}
    patch = {"status": {"conditions": [condition]}}
    await stage.user.patch(kinds.JOB, name, patch, namespace, subresource="status")


def has_ended(job: Manifest) -> bool:
    """True if a Job is complete or has failed."""
    return bool((job.get("status") or {}).get("conditions"))


def check_command_line(container: Manifest) -> None:
    """Assert that a program of ours has every flag of a container's command, and needs no other."""
    command = HYPERSHIFT.load()
    words = container["command"]
    for word in words[:2]:
        command = next(one for one in command.commands if one.name == word).load()
    known = {f"--{flag.name}" for flag in command.flags}
    given = {word for word in words[2:] if word.startswith("--")}
    required = {f"--{flag.name}" for flag in command.flags if flag.required}
    assert required <= given <= known
