"""The cluster's network on the host: one bridge, its routes, one nft table."""
