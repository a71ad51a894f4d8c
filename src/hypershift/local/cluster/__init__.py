"""One embedded cluster: its state on disk, addresses, keys, nodes, and how it is brought up."""
