"""The HyperShift operator: hosted clusters and node pools, from the management cluster."""
