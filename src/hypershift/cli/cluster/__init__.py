"""`create cluster` and `destroy cluster`, one module per platform."""

from hypershift.cli.cluster import agent, create, destroy, local, none

CREATE = create.group((agent.PLATFORM, local.PLATFORM, none.PLATFORM))
DESTROY = destroy.group(("agent", "local", "none"))

__all__ = ["CREATE", "DESTROY"]
