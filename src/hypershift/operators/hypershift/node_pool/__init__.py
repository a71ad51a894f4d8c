"""NodePool: a set of machines that run one release and one configuration, and join as nodes."""
