"""What monitoring wants to know of the hosted clusters: gauges out of the operator's caches."""

from hypershift.operators.hypershift.fleet_metrics.collector import FleetCollector

__all__ = ["FleetCollector"]
