"""Pure rules of the controller: conditions, problems and manifests from what a pass has read."""
