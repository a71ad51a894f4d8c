"""Metrics of the control plane that go to the guest's own monitoring."""

from hypershift.api.monitoring import MetricsForwarding
from hypershift.api.values import ForwardingMode
from hypershift.component import monitoring
from hypershift.component.view import View


def section(view: View) -> MetricsForwarding | None:
    """The cluster's settings for it."""
    return view.spec.monitoring.metrics_forwarding if view.spec.monitoring else None


def wanted(view: View) -> bool:
    """Whether the cluster asks for its metrics, and monitoring is not switched off."""
    told = section(view)
    return told is not None and told.mode == ForwardingMode.FORWARD and monitoring.wanted(view)
