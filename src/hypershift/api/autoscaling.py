"""What decides the number of nodes instead of a user: the autoscaler and node provisioners."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.shape import Field, Int32, Rule, Shape, Value, constrained, members
from hypershift.api.values import Expander, Scaling


class AutoNode(Shape):
    """Nodes made on demand by a provisioner instead of by NodePools."""

    provisioner_config: Annotated[
        Provisioner, Field("Which provisioner makes the nodes, and its settings.")
    ]


@constrained(
    Rule(
        "self.name == 'Karpenter' ? has(self.karpenter) : !has(self.karpenter)",
        "karpenter is required when name is Karpenter, and forbidden otherwise",
    ),
)
class Provisioner(Shape):
    """The provisioner that makes nodes."""

    name: Annotated[str, Field("Provisioner to run. Only Karpenter exists.", enum=("Karpenter",))]
    karpenter: Annotated[
        Karpenter | None, Field("Settings of Karpenter; required when `name` is Karpenter.")
    ] = None


@constrained(
    Rule(
        "self.platform == 'AWS' ? has(self.aws) : !has(self.aws)",
        "aws is required when platform is AWS, and forbidden otherwise",
    ),
)
class Karpenter(Shape):
    """Karpenter, run beside the control plane."""

    platform: Annotated[
        str,
        Field("Platform that Karpenter makes nodes on. Only AWS.", enum=("AWS",), max_length=100),
    ]
    aws: Annotated[
        KarpenterAWS | None,
        Field("What Karpenter needs on AWS; required there and forbidden elsewhere."),
    ] = None


class KarpenterAWS(Shape):
    """Karpenter's access to AWS."""

    role_arn: Annotated[
        str,
        Field(
            (
                "ARN of the IAM role that Karpenter assumes, for example"
                " `arn:aws:iam::123456789012:role/karpenter`. It must allow managing EC2"
                " instances."
            ),
            max_length=2048,
            rules=(
                Rule(
                    "self.matches('^arn:(aws|aws-cn|aws-us-gov):iam::[0-9]{12}:role/.+$')",
                    (
                        "roleARN must be a valid AWS IAM role ARN (e.g."
                        " arn:aws:iam::123456789012:role/MyRole)"
                    ),
                ),
            ),
        ),
    ]


@constrained(
    Rule(
        "self.scaling == 'ScaleUpAndScaleDown' ? true : !has(self.scaleDown)",
        "scaleDown can only be set when scaling is ScaleUpAndScaleDown",
    ),
)
class ClusterAutoscaling(Shape):
    """How the cluster autoscaler behaves, for all NodePools."""

    balancing_ignored_labels: Annotated[
        tuple[str, ...],
        Field(
            (
                "Label keys that do not count when two NodePools are compared for balancing, at"
                " most 64."
            ),
            items=Value(max_length=317),
            max_items=64,
            rules=(
                Rule(
                    (
                        r"self.all(l, l.matches('^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]("
                        "[-a-z0-9]*[a-z0-9])?)*/)?[a-zA-Z0-9]([a-zA-Z0-9_.-]{0,"
                        "61}[a-zA-Z0-9])?$'))"
                    ),
                    "Each balancingIgnoredLabels item must be a valid label key",
                ),
            ),
        ),
    ] = ()
    expanders: Annotated[
        tuple[str, ...],
        Field(
            (
                "How to choose among the NodePools that could grow, tried in this order:"
                " `LeastWaste` (least idle capacity), `Priority` (a list of yours), `Random`."
                " Default: Priority, then LeastWaste."
            ),
            items=Value(enum=members(Expander)),
            min_items=1,
            max_items=3,
        ),
    ] = ()
    max_free_difference_ratio_percent: Annotated[
        Int32 | None,
        Field(
            (
                "How much the free capacity of two NodePools may differ, in percent, for them to"
                " be kept balanced."
            ),
            minimum=0,
            maximum=100,
        ),
    ] = None
    max_node_provision_time: Annotated[
        str | None,
        Field(
            (
                "How long to wait for a new node before another is tried, as a Go duration."
                " Default 15m."
            ),
            pattern=r"^([0-9]+(\.[0-9]+)?(ns|us|µs|ms|s|m|h))+$",
            max_length=100,
        ),
    ] = None
    max_nodes_total: Annotated[
        Int32 | None,
        Field(
            (
                "Most nodes the autoscaler lets the cluster have in all NodePools together; 0 and"
                " unset mean no limit."
            ),
            minimum=0,
        ),
    ] = None
    max_pod_grace_period: Annotated[
        Int32 | None,
        Field(
            (
                "Most seconds that pods on a node get to end before the node is removed. Default"
                " 600."
            ),
            minimum=0,
        ),
    ] = None
    pod_priority_threshold: Annotated[
        Int32 | None,
        Field(
            "Pods of lower priority neither cause a scale-up nor prevent a scale-down. Default -10."
        ),
    ] = None
    scale_down: Annotated[
        ScaleDown | None,
        Field("When and how fast nodes are removed; only with `scaling: ScaleUpAndScaleDown`."),
    ] = None
    scaling: Annotated[
        str,
        Field(
            (
                "`ScaleUpAndScaleDown` adds and removes nodes, `ScaleUpOnly` never removes."
                " Default ScaleUpAndScaleDown."
            ),
            enum=members(Scaling),
        ),
    ] = "ScaleUpAndScaleDown"


class ScaleDown(Shape):
    """When the autoscaler removes nodes."""

    delay_after_add_seconds: Annotated[
        Int32 | None,
        Field(
            "Seconds without removals after a node was added. Default 600.",
            minimum=0,
            maximum=86400,
        ),
    ] = None
    delay_after_delete_seconds: Annotated[
        Int32 | None, Field("Seconds between two removals. Default 0.", minimum=0, maximum=86400)
    ] = None
    delay_after_failure_seconds: Annotated[
        Int32 | None,
        Field("Seconds without removals after one failed. Default 180.", minimum=0, maximum=86400),
    ] = None
    unneeded_duration_seconds: Annotated[
        Int32 | None,
        Field(
            "Seconds a node must be unneeded before it is removed. Default 600.",
            minimum=0,
            maximum=86400,
        ),
    ] = None
    utilization_threshold_percent: Annotated[
        Int32 | None,
        Field(
            (
                "A node whose requests are below this share of its capacity, in percent, may be"
                " removed. Default 50."
            ),
            minimum=0,
            maximum=100,
        ),
    ] = None


@constrained(
    min_properties=1,
)
class AutoNodeStatus(Shape):
    """What the provisioner has made."""

    node_claim_count: Annotated[Int32 | None, Field("How many NodeClaims exist.", minimum=0)] = None
    node_count: Annotated[Int32 | None, Field("How many of them have become nodes.", minimum=0)] = (
        None
    )
    vcpus: Annotated[
        Int32 | None, Field("Virtual CPUs of these nodes together.", minimum=0, maximum=1000000)
    ] = None
