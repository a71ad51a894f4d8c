"""The EC2NodeClass that Karpenter reads, made of an OpenshiftEC2NodeClass."""

from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Final

from hypershift.api import HostedControlPlane, OpenshiftEC2NodeClass, annotations, encode, labels
from hypershift.api.karpenter import (
    BlockDevice,
    BlockDeviceMapping,
    CapacityReservationSelectorTerm,
    KubeletConfiguration,
    MetadataOptions,
)
from hypershift.kit import InvalidSpec, Manifest, data_of, go_duration, labels_of
from hypershift.kit.duration import format_duration
from hypershift.operators.karpenter import names
from hypershift.operators.karpenter.rules import tags
from hypershift.platforms.machines import filled

#: Karpenter would count network interfaces; nodes of OpenShift have an overlay network.
MAX_PODS: Final = 250
#: As large as the command line makes the disks of NodePools.
DEFAULT_DISK: Final[Manifest] = {
    "deviceName": "/dev/xvda",
    "ebs": {"volumeSize": "120Gi", "volumeType": "gp3", "encrypted": True},
}
_YES_OR_NO: Final = {
    "Delete": True,
    "Retain": False,
    "Encrypted": True,
    "Unencrypted": False,
    "Detailed": True,
    "Basic": False,
    "Public": True,
    "SubnetDefault": False,
}
_SWITCH: Final = {"HTTPEndpoint": "enabled", "None": "disabled", "IPv6": "enabled"}
_SWITCH_OFF: Final = {"IPv4": "disabled"}
#: The labels of user data that name an image, by processor.
_IMAGES: Final = (labels.AMI, f"{labels.AMI}-arm64")


def ec2_class(
    node_class: OpenshiftEC2NodeClass, plane: HostedControlPlane, user_data: Manifest
) -> Manifest:
    """The object that Karpenter makes machines by; the class owns it."""
    metadata = node_class.metadata
    return {
        "apiVersion": names.EC2_CLASS.api_version,
        "kind": names.EC2_CLASS.kind,
        "metadata": {
            "name": metadata.name,
            "ownerReferences": [
                {
                    "apiVersion": names.CLASS.api_version,
                    "kind": names.CLASS.kind,
                    "name": metadata.name,
                    "uid": metadata.uid,
                }
            ],
        },
        "spec": spec(node_class, plane, user_data),
    }


def spec(
    node_class: OpenshiftEC2NodeClass, plane: HostedControlPlane, user_data: Manifest
) -> Manifest:
    """What machines of the class are like, in Karpenter's words."""
    wanted = node_class.spec
    cloud = plane.spec.platform.aws
    profile = (plane.metadata.annotations or {}).get(annotations.AWS_KARPENTER_INSTANCE_PROFILE)
    made = {
        "userData": data_of(user_data, "value").decode(),
        "amiFamily": "Custom",
        "amiSelectorTerms": images(user_data),
        "associatePublicIPAddress": _YES_OR_NO.get(wanted.ip_address_association or ""),
        "tags": tags.merged(cloud.resource_tags if cloud else (), wanted.tags),
        "detailedMonitoring": _YES_OR_NO.get(wanted.monitoring or ""),
        "blockDeviceMappings": [*map(_disk, wanted.block_device_mappings)] or [DEFAULT_DISK],
        "instanceStorePolicy": wanted.instance_store_policy,
        "metadataOptions": _metadata(wanted.metadata_options),
        "capacityReservationSelectorTerms": [
            *map(_reservation, wanted.capacity_reservation_selector_terms)
        ],
        "kubelet": kubelet(wanted.kubelet),
        "instanceProfile": profile,
        "subnetSelectorTerms": encode(wanted.subnet_selector_terms)
        or default_subnets(plane.spec.infra_id),
        "securityGroupSelectorTerms": encode(wanted.security_group_selector_terms)
        or default_groups(plane.spec.infra_id),
    }
    return filled(made)


def default_subnets(infra_id: str) -> list[Manifest]:
    """The private subnets of the cluster."""
    tagged = {"kubernetes.io/role/internal-elb": "1", f"kubernetes.io/cluster/{infra_id}": "*"}
    return [{"tags": tagged}]


def default_groups(infra_id: str) -> list[Manifest]:
    """The security group of the cluster's workers."""
    return [{"tags": {names.DISCOVERY: infra_id}}]


def default_class(infra_id: str) -> Manifest:
    """The class that every cluster has."""
    return {
        "apiVersion": names.CLASS.api_version,
        "kind": names.CLASS.kind,
        "metadata": {"name": names.DEFAULT},
        "spec": {
            "subnetSelectorTerms": default_subnets(infra_id),
            "securityGroupSelectorTerms": default_groups(infra_id),
        },
    }


def images(user_data: Manifest) -> list[Manifest]:
    """The images that machines may boot: those that the user data was made for."""
    marks = labels_of(user_data)
    found = [{"id": marks[label]} for label in _IMAGES if marks.get(label)]
    if not found:
        raise InvalidSpec("no AMIs found for supported architectures: [amd64 arm64]")
    return found


def _disk(mapping: BlockDeviceMapping) -> Manifest:
    root = mapping.root_volume == "RootVolume"
    given = {"deviceName": mapping.device_name, "rootVolume": root or None}
    return filled({**given, "ebs": _volume(mapping.ebs) if mapping.ebs else None})


def _volume(device: BlockDevice) -> Manifest:
    size = device.volume_size_gib
    return filled(
        {
            "deleteOnTermination": _YES_OR_NO.get(device.delete_on_termination or ""),
            "encrypted": _YES_OR_NO.get(device.encrypted or ""),
            "iops": device.iops,
            "kmsKeyID": device.kms_key_id,
            "snapshotID": device.snapshot_id,
            "throughput": device.throughput,
            "volumeSize": f"{size}Gi" if size else None,
            "volumeType": device.volume_type.lower() if device.volume_type else None,
        }
    )


def _metadata(options: MetadataOptions | None) -> Manifest | None:
    if options is None:
        return None
    return filled(
        {
            "httpEndpoint": _SWITCH.get(options.access or ""),
            "httpProtocolIPv6": {**_SWITCH, **_SWITCH_OFF}.get(options.http_ip_protocol or ""),
            "httpPutResponseHopLimit": options.http_put_response_hop_limit,
            "httpTokens": options.http_tokens.lower() if options.http_tokens else None,
        }
    )


def _reservation(term: CapacityReservationSelectorTerm) -> Manifest:
    criteria = term.instance_match_criteria
    return filled({**encode(term), "instanceMatchCriteria": criteria.lower() if criteria else None})


def kubelet(wanted: KubeletConfiguration | None) -> Manifest:
    """What Karpenter has to know of kubelets to say which pods fit on a new node."""
    given = wanted or KubeletConfiguration()
    return filled(
        {
            "imageGCHighThresholdPercent": given.image_gc_high_threshold_percent,
            "imageGCLowThresholdPercent": given.image_gc_low_threshold_percent,
            "maxPods": given.max_pods or MAX_PODS,
            "cpuCFSQuota": given.cpu_cfs_quota,
            "evictionHard": _texts(given.eviction_hard),
            "evictionSoft": _texts(given.eviction_soft),
            "evictionSoftGracePeriod": _periods(given.eviction_soft_grace_period),
            "evictionMaxPodGracePeriod": given.eviction_max_pod_grace_period,
            "podsPerCore": given.pods_per_core or None,
            "systemReserved": _texts(given.system_reserved),
            "kubeReserved": _texts(given.kube_reserved),
        }
    )


def _texts(given: Mapping[str, str] | None) -> dict[str, str]:
    return dict(given or {})


def _periods(given: Mapping[str, str] | None) -> dict[str, str]:
    """Durations as Go writes them; one that cannot be read is left out."""
    found = {name: _duration(text) for name, text in (given or {}).items()}
    return {name: format_duration(period) for name, period in found.items() if period is not None}


def _duration(text: str) -> timedelta | None:
    try:
        return go_duration(text)
    except InvalidSpec:
        return None


def subnet_ids(classes: Iterable[OpenshiftEC2NodeClass]) -> list[str]:
    """The subnets that classes found, sorted."""
    return sorted({subnet.id for each in classes for subnet in each.status.subnets if subnet.id})
