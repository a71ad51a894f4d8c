"""Kubernetes' conformance suite against a hosted cluster: `make conformance`."""
