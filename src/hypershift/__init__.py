"""HyperShift: hosted control planes for Kubernetes and OpenShift."""
