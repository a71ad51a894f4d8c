"""What is inside a hosted OpenShift cluster: its own operators configure the rest."""
