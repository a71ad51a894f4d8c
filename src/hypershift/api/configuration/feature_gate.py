"""Which unfinished features of the product are on."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.shape import Field, Go, Rule, Shape, Value


class FeatureGate(Shape):
    """Which unfinished features are on.

    Sets other than the default cannot be left and forbid upgrades.
    """

    feature_set: Annotated[
        str | None,
        Field(
            (
                "Empty for the default, `TechPreviewNoUpgrade`, `DevPreviewNoUpgrade`,"
                " `CustomNoUpgrade` or `OKD`. A change restarts components and rolls nodes."
            ),
            enum=("CustomNoUpgrade", "DevPreviewNoUpgrade", "TechPreviewNoUpgrade", "OKD", ""),
            rules=(
                Rule(
                    "oldSelf == 'CustomNoUpgrade' ? self == 'CustomNoUpgrade' : true",
                    "CustomNoUpgrade may not be changed",
                ),
                Rule(
                    "oldSelf == 'TechPreviewNoUpgrade' ? self == 'TechPreviewNoUpgrade' : true",
                    "TechPreviewNoUpgrade may not be changed",
                ),
                Rule(
                    "oldSelf == 'DevPreviewNoUpgrade' ? self == 'DevPreviewNoUpgrade' : true",
                    "DevPreviewNoUpgrade may not be changed",
                ),
                Rule("oldSelf == 'OKD' ? self != '' : true", "OKD cannot transition to Default"),
            ),
        ),
    ] = None
    custom_no_upgrade: Annotated[
        CustomFeatureGates | None,
        Field(
            "Features to switch one by one; only with `featureSet: CustomNoUpgrade`.",
            nullable=True,
            go=Go.POINTER,
        ),
    ] = None


class CustomFeatureGates(Shape):
    """Features that are switched one by one."""

    enabled: Annotated[
        tuple[str, ...],
        Field(
            "Features to switch on.", items=Value(pattern=r"^([A-Za-z0-9-]+\.)*[A-Za-z0-9-]+\.?$")
        ),
    ] = ()
    disabled: Annotated[
        tuple[str, ...],
        Field(
            "Features to switch off.", items=Value(pattern=r"^([A-Za-z0-9-]+\.)*[A-Za-z0-9-]+\.?$")
        ),
    ] = ()
