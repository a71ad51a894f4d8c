"""Updates that are on offer, and the risks that speak against some of them."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.meta import Condition
from hypershift.api.shape import Field, Rule, Shape, Value


class ReleaseInfo(Shape):
    """A release and what is known about it."""

    image: Annotated[str, Field("Pull specification of the release image.")]
    version: Annotated[str, Field("Semantic version of the release.")]
    architecture: Annotated[
        str | None,
        Field(
            (
                "`Multi` when the release holds images for several processor architectures; empty"
                " otherwise."
            ),
            enum=("Multi", ""),
            gate="ImageStreamImportMode",
        ),
    ] = None
    channels: Annotated[
        tuple[str, ...], Field("Update channels that offer this release.", list_type="set")
    ] = ()
    url: Annotated[str | None, Field("Page about this release.")] = None


class ConditionalUpdate(Shape):
    """A release that is recommended unless a risk applies."""

    release: Annotated[ReleaseInfo, Field("The release on offer.")]
    risks: Annotated[
        tuple[UpdateRisk, ...],
        Field(
            "What could go wrong, at most 200.",
            min_items=1,
            max_items=200,
            list_type="map",
            list_keys=("name",),
        ),
    ]
    conditions: Annotated[
        tuple[Condition, ...],
        Field(
            "Whether it is recommended now; type `Recommended`.",
            list_type="map",
            list_keys=("type",),
        ),
    ] = ()
    risk_names: Annotated[
        tuple[str, ...],
        Field(
            "Names of the risks that bear on this update, at most 500.",
            items=Value(max_length=256),
            min_items=1,
            max_items=500,
            list_type="set",
            gate="ClusterUpdateAcceptRisks",
        ),
    ] = ()


class UpdateRisk(Shape):
    """A known problem with an update."""

    matching_rules: Annotated[
        tuple[RiskMatchingRule, ...],
        Field(
            (
                "How to find out whether the risk applies, tried in this order; the first that"
                " gives an answer decides."
            ),
            min_items=1,
            list_type="atomic",
        ),
    ]
    message: Annotated[
        str, Field("What happens to clusters with the problem, for people.", min_length=1)
    ]
    name: Annotated[str, Field("Name of the risk, unique in the list.", min_length=1)]
    url: Annotated[str, Field("Page that explains it.", format="uri", min_length=1)]
    conditions: Annotated[
        tuple[Condition, ...],
        Field(
            "Whether the risk applies here; has a condition of type `Applies`.",
            min_items=1,
            max_items=8,
            list_type="map",
            list_keys=("type",),
            rules=(
                Rule(
                    "self.exists_one(x, x.type == 'Applies')",
                    "must contain a condition of type 'Applies'",
                ),
            ),
            gate="ClusterUpdateAcceptRisks",
        ),
    ] = ()


class RiskMatchingRule(Shape):
    """A test whether a risk applies."""

    type: Annotated[
        str,
        Field(
            "`Always` means that it applies everywhere, `PromQL` asks the cluster's metrics.",
            enum=("Always", "PromQL"),
        ),
    ]
    promql: Annotated[PromQLRule | None, Field("Query that is asked, with `type: PromQL`.")] = None


class PromQLRule(Shape):
    """A question to the cluster's metrics."""

    promql: Annotated[
        str, Field("Query that yields 1 where the risk applies and 0 where it does not.")
    ]
