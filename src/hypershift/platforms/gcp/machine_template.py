"""Machines of platform GCP: the GCPMachineTemplate of a pool."""

from hypershift.api import NodePool, labels
from hypershift.api.node_pool import (
    GCPBootDisk,
    GCPEncryptionKey,
    GCPNodePool,
    GCPNodeServiceAccount,
)
from hypershift.ignition.goyaml import to_json
from hypershift.kit import InvalidSpec, Manifest
from hypershift.kube import Resource
from hypershift.platforms.machines import (
    PoolFacts,
    SimpleMachines,
    Template,
    filled,
    stream_images,
)

RESOURCE = Resource(
    "infrastructure.cluster.x-k8s.io", "v1beta1", "gcpmachinetemplates", "GCPMachineTemplate"
)
DISK_SIZE, DISK_TYPE = 64, "pd-balanced"
LABEL_PREFIX = "hypershift-openshift-io"
_SCOPES = tuple(
    f"https://www.googleapis.com/auth/{scope}"
    for scope in (
        "devstorage.read_only",
        "logging.write",
        "monitoring.write",
        "servicecontrol",
        "service.management.readonly",
        "trace.append",
    )
)


class GcpMachines(SimpleMachines):
    """Templates of instances on Google's cloud."""

    resource = RESOURCE

    def template(self, facts: PoolFacts) -> Template:
        if facts.given.spec.platform.gcp is None:
            raise InvalidSpec("GCP platform configuration is required")
        if facts.cluster.spec.platform.gcp is None:
            raise InvalidSpec("HostedCluster GCP platform configuration is required")
        try:
            spec = machine_spec(facts, facts.given.spec.platform.gcp)
        except InvalidSpec as error:
            raise InvalidSpec(f"failed to generate GCP machine template spec: {error}") from error
        # Labels change in place, so that they have no say in the name.
        hashed = {name: value for name, value in spec.items() if name != "additionalLabels"}
        return Template(
            {"template": {"spec": spec}},
            to_json(hashed, sort=False),
            labels={
                "cluster.x-k8s.io/cluster-name": facts.infra_id,
                labels.NODE_POOL: facts.pool_name,
                labels.CLUSTER: facts.cluster_name,
            },
            name_label="cluster.x-k8s.io/cloned-from-name",
        )

    def failure_domain(self, pool: NodePool) -> str:
        section = pool.spec.platform.gcp
        return section.zone if section else ""


def machine_spec(facts: PoolFacts, wanted: GCPNodePool) -> Manifest:
    """The spec of each machine, fields in Go's order."""
    disk = wanted.boot_disk or GCPBootDisk()
    model = wanted.provisioning_model
    return filled(
        {
            "instanceType": wanted.machine_type,
            "subnet": _subnet(facts, wanted),
            "image": _image(facts, wanted),
            "additionalLabels": _labels(facts, wanted),
            "additionalMetadata": [
                {"key": "hypershift-cluster", "value": facts.cluster_name},
                {"key": "hypershift-nodepool", "value": facts.pool_name},
                {"key": "hypershift-infra-id", "value": facts.infra_id},
            ],
            "additionalNetworkTags": _tags(facts, wanted),
            "rootDeviceSize": disk.disk_size_gb or DISK_SIZE,
            "rootDeviceType": disk.disk_type or DISK_TYPE,
            "serviceAccounts": _service_account(wanted.service_account),
            "preemptible": model == "Preemptible" or None,
            "provisioningModel": model if model in ("Spot", "Standard") else None,
            "onHostMaintenance": _maintenance(wanted.on_host_maintenance or "", model),
            "rootDiskEncryptionKey": _encryption(disk.encryption_key),
        }
    )


def _image(facts: PoolFacts, wanted: GCPNodePool) -> str:
    if wanted.image:
        return wanted.image
    try:
        return default_image(facts)
    except InvalidSpec as error:
        raise InvalidSpec(
            f"failed to resolve GCP image: couldn't discover a GCP image for release image: {error}"
        ) from error


def default_image(facts: PoolFacts) -> str:
    """The image that the release names."""
    try:
        facts.release.boot_images.named(facts.stream)
    except InvalidSpec as error:
        raise InvalidSpec(f"couldn't resolve stream metadata: {error}") from error
    found = (stream_images(facts).get("images") or {}).get("gcp") or {}
    if not (found.get("project") and found.get("name")):
        raise InvalidSpec(
            f'release image metadata has no GCP image for architecture "{facts.architecture}"'
        )
    return f"projects/{found['project']}/global/images/{found['name']}"


def _subnet(facts: PoolFacts, wanted: GCPNodePool) -> str:
    cluster = facts.cluster.spec.platform.gcp
    shared = cluster.network_config.private_service_connect_subnet.name if cluster else ""
    return wanted.subnet or shared or "default"


def _labels(facts: PoolFacts, wanted: GCPNodePool) -> dict[str, str]:
    cluster = facts.cluster.spec.platform.gcp
    shared = cluster.resource_labels if cluster else ()
    labels = {one.key: one.value for one in (*shared, *wanted.resource_labels)}
    labels[f"{LABEL_PREFIX}-cluster"] = facts.cluster_name
    if facts.infra_id:
        labels[f"{LABEL_PREFIX}-infra-id"] = facts.infra_id
    return labels


def _tags(facts: PoolFacts, wanted: GCPNodePool) -> list[str]:
    tags = list(wanted.network_tags)
    return [*tags, f"{facts.infra_id}-worker"] if facts.infra_id else tags


def _service_account(wanted: GCPNodeServiceAccount | None) -> Manifest | None:
    if wanted is None:
        return None
    scopes = list(wanted.scopes or _SCOPES)
    return filled({"email": wanted.email, "scopes": scopes})


def _maintenance(wanted: str, model: str) -> str:
    """What happens to an instance when its host is serviced; those on loan cannot move."""
    if wanted:
        return "Terminate" if wanted == "TERMINATE" else "Migrate"
    return "Terminate" if model in ("Preemptible", "Spot") else "Migrate"


def _encryption(key: GCPEncryptionKey | None) -> Manifest | None:
    name = key.kms_key_name if key else ""
    return {"keyType": "Managed", "managedKey": {"kmsKeyName": name}} if name else None


MACHINES = GcpMachines()
