"""Platform `Azure`."""
