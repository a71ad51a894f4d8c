"""Platform `Agent`."""
