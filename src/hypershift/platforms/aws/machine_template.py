"""Machines of platform AWS: the AWSMachineTemplate of a pool."""

from collections.abc import Mapping, Sequence
from typing import Any

from hypershift.api import annotations
from hypershift.api.conditions import Condition, NodePoolConditionType, NodePoolReason, false, true
from hypershift.ignition.goyaml import to_json
from hypershift.kit import InvalidSpec, Manifest, annotations_of
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
        if not facts.of_cluster("aws"):
            return Report(
                error="the HostedCluster for this NodePool has no .Spec.Platform.AWS, "
                "this is unsupported"
            )
        conflict = tags.conflict(facts)
        if facts.of_pool("aws").get("ami"):
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
    status = (facts.hosted_cluster.get("status") or {}).get("platform") or {}
    group: str = (status.get("aws") or {}).get("defaultWorkerSecurityGroupID", "")
    return group


def machine_spec(facts: PoolFacts) -> Manifest:
    """The spec of each machine, fields in Go's order."""
    wanted = facts.of_pool("aws")
    placement = wanted.get("placement") or {}
    reservation = placement.get("capacityReservation") or {}
    spot = placement.get("marketType") == "Spot"
    required = annotations_of(facts.pool).get(METADATA_TOKENS) == "required"
    public = annotations_of(facts.hosted_cluster).get(PUBLIC_IPS) == "true"
    spec = {
        "instanceMetadataOptions": {
            "httpEndpoint": "enabled",
            "httpPutResponseHopLimit": _METADATA_HOPS,
            "httpTokens": "required" if required else "optional",
            "instanceMetadataTags": "disabled",
        },
        "ami": {"id": boot_image.image(facts)},
        "instanceType": wanted.get("instanceType", ""),
        "additionalTags": tags.of_machines(facts),
        "iamInstanceProfile": wanted.get("instanceProfile") or f"{facts.infra_id}-worker-profile",
        "publicIP": public or None,
        "additionalSecurityGroups": _groups(facts),
        "subnet": _reference(wanted.get("subnet") or {}),
        "rootVolume": _volume(wanted.get("rootVolume")),
        "uncompressedUserData": True,
        "cloudInit": {
            "insecureSkipSecretsManager": True,
            "secureSecretsBackend": "secrets-manager",
        },
        "spotMarketOptions": _spot(placement) if spot else None,
        "tenancy": placement.get("tenancy"),
        "capacityReservationId": reservation.get("id"),
        "marketType": _market(placement),
        "capacityReservationPreference": reservation.get("preference"),
    }
    # Empty structs behind pointers are shown.
    shown = ("subnet", "spotMarketOptions")
    return filled(spec) | {name: spec[name] for name in shown if spec[name] == {}}


def _groups(facts: PoolFacts) -> list[Manifest]:
    groups = [_reference(one) for one in facts.of_pool("aws").get("securityGroups") or ()]
    if not facts.default_security_group:
        return groups
    if not (group := default_group(facts)):
        raise NotReady("the default security group for the HostedCluster has not been created")
    return [*groups, {"id": group}]


def _reference(wanted: Mapping[str, Any]) -> Manifest:
    filters: Sequence[Mapping[str, Any]] = wanted.get("filters") or ()
    named = [{"name": one["name"], "values": one.get("values")} for one in filters]
    return filled({"id": wanted.get("id"), "filters": named})


def _volume(wanted: Mapping[str, Any] | None) -> Manifest:
    if wanted is None:
        return {"size": VOLUME_SIZE}
    return filled(
        {
            "size": wanted.get("size") or VOLUME_SIZE,
            "type": wanted.get("type") or VOLUME_TYPE,
            "iops": wanted.get("iops") or None,
            "encrypted": wanted.get("encrypted"),
            "encryptionKey": wanted.get("encryptionKey"),
        }
    )


def _spot(placement: Mapping[str, Any]) -> Manifest:
    return filled({"maxPrice": (placement.get("spot") or {}).get("maxPrice")})


def _market(placement: Mapping[str, Any]) -> str:
    """How instances are paid for; a reservation named by its id is a block of capacity."""
    asked = placement.get("marketType")
    if asked == "Spot":
        return ""
    reservation = placement.get("capacityReservation") or {}
    if market := _MARKETS.get(asked or "") or _MARKETS.get(reservation.get("marketType") or ""):
        return market
    by_id = placement.get("tenancy") != "host" and reservation.get("id") is not None
    return "CapacityBlock" if by_id else ""


MACHINES = AwsMachines()
