"""Pools of machines that the assisted installer discovered."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.meta import LabelSelector
from hypershift.api.shape import Field, Shape


class AgentNodePool(Shape):
    """Which discovered machines to take."""

    agent_label_selector: Annotated[
        LabelSelector | None, Field("Labels that an Agent must have. Unset takes any that is free.")
    ] = None
