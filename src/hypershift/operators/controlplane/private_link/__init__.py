"""Private links: the objects that stand for them, and the half in the cluster's own account."""

from hypershift.operators.controlplane.private_link.controller import controllers
from hypershift.operators.controlplane.private_link.links import publish_links

__all__ = ["controllers", "publish_links"]
