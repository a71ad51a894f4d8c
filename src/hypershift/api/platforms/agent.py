"""Clusters on machines that the assisted installer discovered."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.shape import Field, Shape


class AgentPlatform(Shape):
    """Machines that the assisted installer discovered."""

    agent_namespace: Annotated[
        str,
        Field("Namespace of the management cluster in which Agents are looked for.", max_length=63),
    ]
