"""How an API server on Azure is reached from inside the virtual network."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.rules import AZURE_SUBNET_ID, UUID
from hypershift.api.shape import Field, Rule, Shape, Value, constrained, immutable, members
from hypershift.api.values import AzurePrivateType


@constrained(
    Rule("!has(oldSelf.type) || self.type == oldSelf.type", "type is immutable"),
    Rule(
        "self.type == 'PrivateLink' ? has(self.privateLink) : !has(self.privateLink)",
        "privateLink is required when type is PrivateLink, and forbidden otherwise",
    ),
    Rule(
        "self.type == 'Swift' ? has(self.swift) : !has(self.swift)",
        "swift is required when type is Swift, and forbidden otherwise",
    ),
)
class AzurePrivate(Shape):
    """How the API is reached from inside the virtual network."""

    type: Annotated[
        str, Field("`PrivateLink` or `Swift`. Immutable.", enum=members(AzurePrivateType))
    ]
    private_link: Annotated[
        AzurePrivateLink | None, Field("Settings of Private Link; only with `type: PrivateLink`.")
    ] = None
    swift: Annotated[
        AzureSwift | None, Field("Settings of Swift networking; only with `type: Swift`.")
    ] = None


@constrained(
    min_properties=1,
)
class AzurePrivateLink(Shape):
    """Access by Private Link."""

    additional_allowed_subscriptions: Annotated[
        tuple[str, ...],
        Field(
            (
                "Subscriptions, besides the cluster's own, that may make private endpoints; at"
                " most 50."
            ),
            items=Value(
                min_length=36,
                max_length=36,
                rules=(UUID,),
            ),
            min_items=1,
            max_items=50,
            list_type="set",
        ),
    ] = ()
    nat_subnet_id: Annotated[
        str | None,
        Field(
            (
                "Resource id of the subnet that Private Link translates addresses into. Default:"
                " one is made. Immutable."
            ),
            min_length=1,
            max_length=355,
            rules=(
                immutable("natSubnetID is immutable once set"),
                AZURE_SUBNET_ID,
            ),
        ),
    ] = None


@constrained(
    Rule(
        "self.podNetworkInstance == oldSelf.podNetworkInstance", "podNetworkInstance is immutable"
    ),
)
class AzureSwift(Shape):
    """Access by Swift pod networking."""

    pod_network_instance: Annotated[
        str,
        Field(
            (
                "Name of the PodNetworkInstance that joins control plane pods to the virtual"
                " network. Immutable."
            ),
            min_length=1,
            max_length=63,
            rules=(
                Rule(
                    "self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')",
                    (
                        "podNetworkInstance must be a valid DNS label: lowercase alphanumeric"
                        " characters or hyphens, must start and end with an alphanumeric"
                        " character"
                    ),
                ),
            ),
        ),
    ]
