"""Pure rules: from a hosted control plane to the objects inside its cluster."""
