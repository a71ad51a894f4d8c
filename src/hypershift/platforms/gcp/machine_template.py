"""Machines of platform GCP: the GCPMachineTemplate of a pool."""

from typing import Any

from hypershift.api import labels
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
        if not facts.of_pool("gcp"):
            raise InvalidSpec("GCP platform configuration is required")
        if not facts.of_cluster("gcp"):
            raise InvalidSpec("HostedCluster GCP platform configuration is required")
        try:
            spec = machine_spec(facts)
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

    def failure_domain(self, pool: Manifest) -> str:
        zone: str = (pool["spec"]["platform"].get("gcp") or {}).get("zone", "")
        return zone


def machine_spec(facts: PoolFacts) -> Manifest:
    """The spec of each machine, fields in Go's order."""
    wanted = facts.of_pool("gcp")
    disk = wanted.get("bootDisk") or {}
    model = wanted.get("provisioningModel", "")
    return filled(
        {
            "instanceType": wanted.get("machineType", ""),
            "subnet": _subnet(facts),
            "image": _image(facts),
            "additionalLabels": _labels(facts),
            "additionalMetadata": [
                {"key": "hypershift-cluster", "value": facts.cluster_name},
                {"key": "hypershift-nodepool", "value": facts.pool_name},
                {"key": "hypershift-infra-id", "value": facts.infra_id},
            ],
            "additionalNetworkTags": _tags(facts),
            "rootDeviceSize": disk.get("diskSizeGB") or DISK_SIZE,
            "rootDeviceType": disk.get("diskType") or DISK_TYPE,
            "serviceAccounts": _service_account(wanted.get("serviceAccount")),
            "preemptible": model == "Preemptible" or None,
            "provisioningModel": model if model in ("Spot", "Standard") else None,
            "onHostMaintenance": _maintenance(wanted.get("onHostMaintenance", ""), model),
            "rootDiskEncryptionKey": _encryption(disk.get("encryptionKey") or {}),
        }
    )


def _image(facts: PoolFacts) -> str:
    if named := facts.of_pool("gcp").get("image"):
        return str(named)
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


def _subnet(facts: PoolFacts) -> str:
    network = facts.of_cluster("gcp").get("networkConfig") or {}
    shared = (network.get("privateServiceConnectSubnet") or {}).get("name")
    return facts.of_pool("gcp").get("subnet") or shared or "default"


def _labels(facts: PoolFacts) -> dict[str, str]:
    labels = {
        one["key"]: one.get("value") or ""
        for platform in (facts.of_cluster("gcp"), facts.of_pool("gcp"))
        for one in platform.get("resourceLabels") or ()
    }
    labels[f"{LABEL_PREFIX}-cluster"] = facts.cluster_name
    if facts.infra_id:
        labels[f"{LABEL_PREFIX}-infra-id"] = facts.infra_id
    return labels


def _tags(facts: PoolFacts) -> list[str]:
    tags = list(facts.of_pool("gcp").get("networkTags") or ())
    return [*tags, f"{facts.infra_id}-worker"] if facts.infra_id else tags


def _service_account(wanted: dict[str, Any] | None) -> Manifest | None:
    if wanted is None:
        return None
    scopes = list(wanted.get("scopes") or _SCOPES)
    return filled({"email": wanted.get("email", ""), "scopes": scopes})


def _maintenance(wanted: str, model: str) -> str:
    """What happens to an instance when its host is serviced; those on loan cannot move."""
    if wanted:
        return "Terminate" if wanted == "TERMINATE" else "Migrate"
    return "Terminate" if model in ("Preemptible", "Spot") else "Migrate"


def _encryption(key: dict[str, Any]) -> Manifest | None:
    name = key.get("kmsKeyName")
    return {"keyType": "Managed", "managedKey": {"kmsKeyName": name}} if name else None


MACHINES = GcpMachines()
