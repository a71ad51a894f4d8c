"""What follows from clusters alone: who is served, the configuration, the router's objects."""
