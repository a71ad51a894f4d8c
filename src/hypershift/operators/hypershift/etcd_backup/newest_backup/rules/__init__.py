"""The condition that follows from the backups of a control plane."""
