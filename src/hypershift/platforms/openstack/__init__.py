"""Platform `OpenStack`."""
