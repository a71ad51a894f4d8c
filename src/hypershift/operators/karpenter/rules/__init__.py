"""What follows from a control plane and its classes of nodes: pure."""
