"""The images of a cluster: built, published in its registry, unpacked and loaded on nodes."""
