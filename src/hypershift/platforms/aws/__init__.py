"""Platform `AWS`."""
