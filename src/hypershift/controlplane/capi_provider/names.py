"""Names of the provider's containers."""

CONTAINER, RESOURCE_CONTROLLER, MINTER = "manager", "orc-manager", "cloud-token-minter"
