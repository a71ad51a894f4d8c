"""Optional parts of the product that a cluster may switch on or off."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.shape import Field, Rule, Shape, Value, constrained, immutable, members
from hypershift.api.values import Capability


@constrained(
    immutable(
        "Capabilities is immutable. Changes might result in unpredictable and disruptive behavior."
    ),
    Rule(
        (
            "has(self.enabled) && has(self.disabled) ? self.enabled.all(e, !(e in"
            " self.disabled)) : true"
        ),
        "Capabilities can not be both enabled and disabled at once.",
    ),
)
class Capabilities(Shape):
    """Optional parts of the product."""

    disabled: Annotated[
        tuple[str, ...],
        Field(
            (
                "Parts that are left out, whatever the release would choose. Ingress can be left"
                " out only together with Console. At most 25; immutable."
            ),
            items=Value(enum=members(Capability)),
            max_items=25,
            list_type="atomic",
            rules=(
                immutable(
                    "Disabled is immutable. Changes might result in unpredictable and"
                    " disruptive behavior."
                ),
                Rule(
                    "!self.exists(cap, cap == 'Ingress') || self.exists(cap, cap == 'Console')",
                    (
                        "Ingress capability can only be disabled if Console capability is also"
                        " disabled"
                    ),
                ),
            ),
        ),
    ] = ()
    enabled: Annotated[
        tuple[str, ...],
        Field(
            (
                "Parts that are there, whatever the release would choose. No part may be in both"
                " lists. At most 25; immutable."
            ),
            items=Value(enum=members(Capability)),
            max_items=25,
            list_type="atomic",
            rules=(
                immutable(
                    "Enabled is immutable. Changes might result in unpredictable and"
                    " disruptive behavior."
                ),
            ),
        ),
    ] = ()


#: What a release enables, without what makes no sense in a guest.
USUAL = frozenset(
    {
        "Build",
        "CSISnapshot",
        "CloudControllerManager",
        "CloudCredential",
        "Console",
        "DeploymentConfig",
        "ImageRegistry",
        "Ingress",
        "Insights",
        "MachineAPI",
        "NodeTuning",
        "OperatorLifecycleManager",
        "OperatorLifecycleManagerV1",
        "Storage",
        "marketplace",
        "openshift-samples",
    }
)


def enabled_capabilities(said: Capabilities | None) -> list[str]:
    """The usual ones but those that the user disables, and those that the user enables."""
    disabled, enabled = (said.disabled, said.enabled) if said else ((), ())
    return sorted(USUAL.difference(disabled).union(enabled))
