"""The HostedCluster controller: from a declared cluster to its control plane namespace."""
