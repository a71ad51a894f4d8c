"""OpenshiftEC2NodeClass: what machines are like that Karpenter makes on AWS."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from hypershift.api.karpenter.devices import BlockDeviceMapping, MetadataOptions
from hypershift.api.karpenter.kubelet import KubeletConfiguration
from hypershift.api.karpenter.selectors import (
    CapacityReservationSelectorTerm,
    SecurityGroupSelectorTerm,
    SubnetSelectorTerm,
)
from hypershift.api.karpenter.status import OpenshiftEC2NodeClassStatus
from hypershift.api.kind import Cluster, Kind, Resource, condition_column, served
from hypershift.api.shape import Field, Rule, Shape, constrained


@constrained(
    min_properties=1,
)
class OpenshiftEC2NodeClassSpec(Shape):
    """What machines on AWS are like. A change replaces the nodes."""

    block_device_mappings: Annotated[
        tuple[BlockDeviceMapping, ...],
        Field(
            "Disks of the machines, at most 50; one of them may be the root volume.",
            min_items=1,
            max_items=50,
            list_type="atomic",
            rules=(
                Rule(
                    (
                        "self.filter(x,"
                        " has(x.rootVolume)?x.rootVolume=='RootVolume':false).size() <= 1"
                    ),
                    "must have only one blockDeviceMappings with rootVolume",
                ),
            ),
        ),
    ] = ()
    capacity_reservation_selector_terms: Annotated[
        tuple[CapacityReservationSelectorTerm, ...],
        Field(
            "Which capacity reservations may be used, at most 30; one matching term is enough.",
            min_items=1,
            max_items=30,
            list_type="atomic",
            rules=(
                Rule(
                    (
                        "self.all(x, has(x.tags) || has(x.id) || has(x.ownerID) ||"
                        " has(x.instanceMatchCriteria))"
                    ),
                    (
                        "expected at least one, got none, ['tags', 'id', 'ownerID',"
                        " 'instanceMatchCriteria']"
                    ),
                ),
                Rule(
                    (
                        "!self.all(x, has(x.id) && (has(x.tags) || has(x.ownerID) ||"
                        " has(x.instanceMatchCriteria)))"
                    ),
                    (
                        "'id' is mutually exclusive, cannot be set along with other fields in a"
                        " capacity reservation selector term"
                    ),
                ),
            ),
        ),
    ] = ()
    instance_store_policy: Annotated[
        str | None,
        Field(
            (
                "What is done with local disks; `RAID0` joins them for pods and images. Default:"
                " nothing."
            ),
            enum=("RAID0",),
        ),
    ] = None
    ip_address_association: Annotated[
        str | None,
        Field(
            (
                "Whether machines get a public address: `Public`, or as the subnet says:"
                " `SubnetDefault`. Default SubnetDefault."
            ),
            enum=("Public", "SubnetDefault"),
        ),
    ] = None
    kubelet: Annotated[KubeletConfiguration | None, Field("Settings of the kubelet.")] = None
    metadata_options: Annotated[
        MetadataOptions | None, Field("Access to the instance metadata service.")
    ] = None
    monitoring: Annotated[
        str | None,
        Field(
            "CloudWatch monitoring: `Detailed` every minute, `Basic` every five. Default Basic.",
            enum=("Detailed", "Basic"),
        ),
    ] = None
    security_group_selector_terms: Annotated[
        tuple[SecurityGroupSelectorTerm, ...],
        Field(
            (
                "Which security groups the machines get, at most 30. Default: the cluster's"
                " default group."
            ),
            min_items=1,
            max_items=30,
            list_type="atomic",
            rules=(
                Rule("self.size() != 0", "securityGroupSelectorTerms cannot be empty"),
                Rule(
                    "self.all(x, has(x.tags) || has(x.id) || has(x.name))",
                    "expected at least one, got none, ['tags', 'id', 'name']",
                ),
                Rule(
                    "!self.all(x, has(x.id) && (has(x.tags) || has(x.name)))",
                    (
                        "'id' is mutually exclusive, cannot be set with a combination of other"
                        " fields in securityGroupSelectorTerms"
                    ),
                ),
                Rule(
                    "!self.all(x, has(x.name) && (has(x.tags) || has(x.id)))",
                    (
                        "'name' is mutually exclusive, cannot be set with a combination of"
                        " other fields in securityGroupSelectorTerms"
                    ),
                ),
            ),
        ),
    ] = ()
    subnet_selector_terms: Annotated[
        tuple[SubnetSelectorTerm, ...],
        Field(
            (
                "Which subnets the machines may be in, at most 30. Default: those of the"
                " cluster's NodePools."
            ),
            min_items=1,
            max_items=30,
            list_type="atomic",
            rules=(
                Rule("self.size() != 0", "subnetSelectorTerms cannot be empty"),
                Rule(
                    "self.all(x, has(x.tags) || has(x.id))",
                    "expected at least one, got none, ['tags', 'id']",
                ),
                Rule(
                    "!self.all(x, has(x.id) && has(x.tags))",
                    (
                        "'id' is mutually exclusive, cannot be set with a combination of other"
                        " fields in subnetSelectorTerms"
                    ),
                ),
            ),
        ),
    ] = ()
    tags: Annotated[
        Mapping[str, str] | None,
        Field(
            "Tags on machines and disks; keys of Kubernetes and Karpenter are reserved.",
            min_properties=1,
            rules=(
                Rule("self.all(k, k != '')", "empty tag keys aren't supported"),
                Rule(
                    "self.all(k, k !='eks:eks-cluster-name')",
                    "tag contains a restricted tag matching eks:eks-cluster-name",
                ),
                Rule(
                    "self.all(k, !k.startsWith('kubernetes.io/cluster') )",
                    "tag contains a restricted tag matching kubernetes.io/cluster/",
                ),
                Rule(
                    "self.all(k, k != 'karpenter.sh/nodepool')",
                    "tag contains a restricted tag matching karpenter.sh/nodepool",
                ),
                Rule(
                    "self.all(k, k !='karpenter.sh/nodeclaim')",
                    "tag contains a restricted tag matching karpenter.sh/nodeclaim",
                ),
                Rule(
                    "self.all(k, k !='karpenter.k8s.aws/ec2nodeclass')",
                    "tag contains a restricted tag matching karpenter.k8s.aws/ec2nodeclass",
                ),
            ),
        ),
    ] = None
    version: Annotated[
        str | None,
        Field(
            "Release version of the nodes, for example 4.20.1. Default: the control plane's.",
            min_length=5,
            max_length=64,
            rules=(
                Rule(
                    (
                        r"self.matches('^(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)(?:-((?:0|"
                        r"[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\\.(?:0|[1-9]\\d*|"
                        r"\\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\\+([0-9a-zA-Z-]+(?:\\."
                        "[0-9a-zA-Z-]+)*))?$')"
                    ),
                    "version must be a valid semantic version (e.g., 4.20.1)",
                ),
            ),
        ),
    ] = None


@served(
    Kind(
        group="karpenter.hypershift.openshift.io",
        version="v1",
        plural="openshiftec2nodeclasses",
        short_names=("oec2nc", "oec2ncs"),
        namespaced=False,
        columns=(condition_column("Ready", "Ready", "Ready"),),
        cluster=Cluster.HOSTED,
    )
)
class OpenshiftEC2NodeClass(Resource):
    """What the machines are like that Karpenter makes on AWS.

    Lives in the hosted cluster, where its administrator writes it.
    """

    spec: Annotated[OpenshiftEC2NodeClassSpec, Field("What the machines are like.")]
    status: Annotated[OpenshiftEC2NodeClassStatus, Field("What the selectors found.")] = (
        OpenshiftEC2NodeClassStatus()
    )
