"""One ingress for many clusters: the address is shared, the name chooses the cluster."""
