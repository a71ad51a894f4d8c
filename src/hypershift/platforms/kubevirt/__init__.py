"""Platform `KubeVirt`."""
