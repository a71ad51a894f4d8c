"""Machines of platform AWS: the AWSMachineTemplate of a pool."""

from hypershift.api import annotations, read
from hypershift.api.conditions import Condition, NodePoolConditionType, NodePoolReason, false, true
from hypershift.api.node_pool import (
    AWSNodePool,
    AWSSubnetReference,
    AWSVolume,
    CapacityReservation,
    Placement,
)
from hypershift.api.platforms.aws import AWSResourceReference
from hypershift.ignition.goyaml import to_json
from hypershift.kit import InvalidSpec, Manifest
from hypershift.kube import Resource
from hypershift.platforms.aws import boot_image, tags
from hypershift.platforms.machines import (
    FAILED,
    VALID_IMAGE,
    NotReady,
    PoolFacts,
    Report,
    SimpleMachines,
    Template,
    filled,
)

_GROUP = "infrastructure.cluster.x-k8s.io"
RESOURCE = Resource(_GROUP, "v1beta2", "awsmachinetemplates", "AWSMachineTemplate")
MACHINE = Resource(_GROUP, "v1beta2", "awsmachines", "AWSMachine")
VOLUME_SIZE, VOLUME_TYPE = 16, "gp3"
METADATA_TOKENS = annotations.EC2_METADATA_HTTP_TOKENS
PUBLIC_IPS = annotations.AWS_MACHINE_PUBLIC_IPS
#: Containers are one network hop further from the metadata service than their host.
_METADATA_HOPS = 2
#: Ways to pay for instances, as the pool and as the machine spell them.
_MARKETS = {"CapacityBlocks": "CapacityBlock", "OnDemand": "OnDemand"}
SECURITY_GROUP = NodePoolConditionType.AWS_SECURITY_GROUP_AVAILABLE


class AwsMachines(SimpleMachines):
    """Templates of EC2 instances."""

    resource = RESOURCE

    def check(self, facts: PoolFacts) -> Report:
        if facts.cluster.spec.platform.aws is None:
            return Report(
                error="the HostedCluster for this NodePool has no .Spec.Platform.AWS, "
                "this is unsupported"
            )
        conflict = tags.conflict(facts)
        if _section(facts).ami:
            return Report((conflict, _group_condition(facts)), removed=(VALID_IMAGE,))
        image, error = _image_condition(facts)
        if error:
            return Report((conflict, image), error)
        return Report((conflict, image, _group_condition(facts)))

    def template(self, facts: PoolFacts) -> Template:
        try:
            spec = machine_spec(facts)
        except InvalidSpec as error:
            raise InvalidSpec(f"failed to generate AWSMachineTemplateSpec: {error}") from error
        # Tags change in place, so that they have no say in the name.
        hashed = {name: value for name, value in spec.items() if name != "additionalTags"}
        return Template(_template(spec), to_json(_template(hashed), sort=False))

    def same(self, wanted: Manifest, known: Manifest) -> bool:
        return _untagged(wanted) == _untagged(known)


def _template(spec: Manifest) -> Manifest:
    return {"template": {"metadata": {}, "spec": spec}}


def _untagged(spec: Manifest) -> Manifest:
    machine = (spec.get("template") or {}).get("spec") or {}
    return {name: value for name, value in machine.items() if name != "additionalTags"}


def _image_condition(facts: PoolFacts) -> tuple[Condition, str]:
    kind = "a Windows AMI" if boot_image.is_windows(facts) else "an AMI"
    try:
        image = boot_image.default_image(facts)
    except InvalidSpec as error:
        message = f'Couldn\'t discover {kind} for release image "{facts.image}": {error}'
        failure = f"couldn't discover {kind} for release image: {error}"
        return false(VALID_IMAGE, FAILED, message), failure
    word = "Bootstrap Windows AMI" if boot_image.is_windows(facts) else "Bootstrap AMI"
    return true(VALID_IMAGE, f'{word} is "{image}"'), ""


def _group_condition(facts: PoolFacts) -> Condition:
    if default_group(facts):
        message = "NodePool has a default security group"
        return true(SECURITY_GROUP, message)
    message = "Waiting for AWS default security group to be created for hosted cluster"
    return false(SECURITY_GROUP, NodePoolReason.DEFAULT_SECURITY_GROUP_NOT_READY, message)


def default_group(facts: PoolFacts) -> str:
    """The security group that the control plane made for workers; empty before."""
    platform = facts.cluster.status.platform
    aws = platform.aws if platform else None
    return (aws.default_worker_security_group_id if aws else None) or ""


def _section(facts: PoolFacts) -> AWSNodePool:
    return facts.wanted.spec.platform.aws or read(AWSNodePool, {})


def machine_spec(facts: PoolFacts) -> Manifest:
    """The spec of each machine, fields in Go's order."""
    wanted = _section(facts)
    placement = wanted.placement or Placement()
    reservation = placement.capacity_reservation or CapacityReservation()
    spot = placement.market_type == "Spot"
    required = facts.pool_annotation(METADATA_TOKENS) == "required"
    public = (facts.cluster.metadata.annotations or {}).get(PUBLIC_IPS) == "true"
    spec = {
        "instanceMetadataOptions": {
            "httpEndpoint": "enabled",
            "httpPutResponseHopLimit": _METADATA_HOPS,
            "httpTokens": "required" if required else "optional",
            "instanceMetadataTags": "disabled",
        },
        "ami": {"id": boot_image.image(facts)},
        "instanceType": wanted.instance_type,
        "additionalTags": tags.of_machines(facts),
        "iamInstanceProfile": wanted.instance_profile or f"{facts.infra_id}-worker-profile",
        "publicIP": public or None,
        "additionalSecurityGroups": _groups(facts),
        "subnet": _reference(wanted.subnet),
        "rootVolume": _volume(wanted.root_volume),
        "uncompressedUserData": True,
        "cloudInit": {
            "insecureSkipSecretsManager": True,
            "secureSecretsBackend": "secrets-manager",
        },
        "spotMarketOptions": _spot(placement) if spot else None,
        "tenancy": placement.tenancy,
        "capacityReservationId": reservation.id,
        "marketType": _market(placement),
        "capacityReservationPreference": reservation.preference,
    }
    # Empty structs behind pointers are shown.
    shown = ("subnet", "spotMarketOptions")
    return filled(spec) | {name: spec[name] for name in shown if spec[name] == {}}


def _groups(facts: PoolFacts) -> list[Manifest]:
    groups = [_reference(one) for one in _section(facts).security_groups]
    if not facts.default_security_group:
        return groups
    if not (group := default_group(facts)):
        raise NotReady("the default security group for the HostedCluster has not been created")
    return [*groups, {"id": group}]


def _reference(wanted: AWSSubnetReference | AWSResourceReference) -> Manifest:
    named = [{"name": one.name, "values": list(one.values)} for one in wanted.filters]
    return filled({"id": wanted.id, "filters": named})


def _volume(wanted: AWSVolume | None) -> Manifest:
    if wanted is None:
        return {"size": VOLUME_SIZE}
    return filled(
        {
            "size": wanted.size or VOLUME_SIZE,
            "type": wanted.type or VOLUME_TYPE,
            "iops": wanted.iops or None,
            "encrypted": wanted.encrypted,
            "encryptionKey": wanted.encryption_key,
        }
    )


def _spot(placement: Placement) -> Manifest:
    return filled({"maxPrice": placement.spot.max_price if placement.spot else None})


def _market(placement: Placement) -> str:
    """How instances are paid for; a reservation named by its id is a block of capacity."""
    asked = placement.market_type
    if asked == "Spot":
        return ""
    reservation = placement.capacity_reservation or CapacityReservation()
    if market := _MARKETS.get(asked or "") or _MARKETS.get(reservation.market_type or ""):
        return market
    by_id = placement.tenancy != "host" and reservation.id is not None
    return "CapacityBlock" if by_id else ""


MACHINES = AwsMachines()
