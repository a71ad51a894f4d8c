"""Platform `GCP`."""
