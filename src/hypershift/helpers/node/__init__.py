"""Programs that keep files of a node as its hosted cluster wants them, and restart its kubelet."""
