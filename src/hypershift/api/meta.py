"""Shapes that Kubernetes itself defines: metadata, conditions, references, selectors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from hypershift.api.shape import Field, Go, Int32, Int64, Rule, Shape, Time, constrained, members
from hypershift.api.values import ConditionStatus


class OwnerReference(Shape):
    """The object that this one goes away with."""

    api_version: str = ""
    kind: str = ""
    name: str = ""
    uid: str = ""
    controller: bool | None = None
    block_owner_deletion: bool | None = None


class ObjectMeta(Shape):
    """What every Kubernetes object says about itself; the API server owns this schema."""

    name: str = ""
    generate_name: str = ""
    namespace: str = ""
    uid: str = ""
    resource_version: str = ""
    generation: int = 0
    creation_timestamp: str | None = None
    deletion_timestamp: str | None = None
    deletion_grace_period_seconds: int | None = None
    labels: Mapping[str, str] | None = None
    annotations: Mapping[str, str] | None = None
    finalizers: tuple[str, ...] = ()
    owner_references: tuple[OwnerReference, ...] = ()


@constrained(
    map_type="atomic",
)
class LocalObjectReference(Shape):
    """The name of an object in the same namespace."""

    name: Annotated[str, Field("Name of the object; empty refers to nothing.")] = ""


class NameReference(Shape):
    """The name of an object; its namespace follows from the context."""

    name: Annotated[str, Field("Name of the object.", go=Go.ALWAYS)]


@constrained(
    map_type="atomic",
)
class LabelSelector(Shape):
    """Picks objects by their labels.

    All requirements must hold; an empty selector picks everything.
    """

    match_labels: Annotated[
        Mapping[str, str] | None, Field("Labels and the values they must have.")
    ] = None
    match_expressions: Annotated[
        tuple[LabelSelectorRequirement, ...],
        Field("Requirements on label keys, all of which must hold.", list_type="atomic"),
    ] = ()


class LabelSelectorRequirement(Shape):
    """One requirement on a label."""

    key: Annotated[str, Field("Label that the requirement is about.", go=Go.ALWAYS)]
    operator: Annotated[
        str,
        Field(
            "How key and values relate: `In`, `NotIn`, `Exists` or `DoesNotExist`.", go=Go.ALWAYS
        ),
    ]
    values: Annotated[
        tuple[str, ...],
        Field(
            "Values to compare with; needed for In and NotIn, empty for the others.",
            list_type="atomic",
        ),
    ] = ()


class Toleration(Shape):
    """A taint that a pod does not mind."""

    key: Annotated[
        str | None, Field("Key of the taint. Empty, with operator `Exists`, matches every taint.")
    ] = None
    operator: Annotated[
        str | None, Field("`Equal` compares key and value, `Exists` only the key. Default Equal.")
    ] = None
    value: Annotated[str | None, Field("Value of the taint; empty with operator `Exists`.")] = None
    effect: Annotated[
        str | None,
        Field(
            "Effect of the taint: `NoSchedule`, `PreferNoSchedule` or `NoExecute`. Empty"
            " matches all."
        ),
    ] = None
    toleration_seconds: Annotated[
        Int64 | None,
        Field(
            "Seconds a pod stays on the node after a NoExecute taint appears. Unset means for"
            " ever.",
            go=Go.POINTER,
        ),
    ] = None


class Condition(Shape):
    """One observed fact about an object."""

    last_transition_time: Annotated[Time, Field("When `status` last changed, RFC 3339.")]
    message: Annotated[str, Field("Sentence for people; may be empty.", max_length=32768)]
    reason: Annotated[
        str,
        Field(
            "Why the status is what it is, one CamelCase word for programs.",
            pattern="^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$",
            min_length=1,
            max_length=1024,
        ),
    ]
    status: Annotated[str, Field("`True`, `False` or `Unknown`.", enum=members(ConditionStatus))]
    type: Annotated[
        str,
        Field(
            "What is stated, in CamelCase; unique in the list.",
            pattern=(
                r"^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?("
                "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$"
            ),
            max_length=316,
        ),
    ]
    observed_generation: Annotated[
        Int64 | None,
        Field(
            (
                "Generation of the object that this was observed on; older than"
                " `metadata.generation` means out of date."
            ),
            minimum=0,
        ),
    ] = None


class Endpoint(Shape):
    """A network address that clients connect to."""

    host: Annotated[str, Field("Host name or IP address.", max_length=255)]
    port: Annotated[Int32, Field("TCP port.")]


class SecretReference(Shape):
    """The name of a Secret in the same namespace."""

    name: Annotated[
        str,
        Field(
            "Name of the Secret.",
            min_length=1,
            max_length=253,
            rules=(
                Rule(
                    (
                        r"self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]("
                        "[-a-z0-9]*[a-z0-9])?)*$')"
                    ),
                    (
                        "name must consist only of lowercase alphanumeric characters, hyphens,"
                        " and periods. Each period-separated segment must start and end with an"
                        " alphanumeric character."
                    ),
                ),
            ),
        ),
    ]


class SecretKeyReference(Shape):
    """A Secret in the same namespace and one key in it."""

    key: Annotated[str, Field("Key in the Secret's data.", max_length=255)]
    name: Annotated[str, Field("Name of the Secret.", max_length=255)]


class ConditionsStatus(Shape):
    """A status that has conditions and nothing else."""

    conditions: Annotated[
        tuple[Condition, ...],
        Field("What was observed, one entry per type.", list_type="map", list_keys=("type",)),
    ] = ()
