"""Platform `PowerVS`."""
