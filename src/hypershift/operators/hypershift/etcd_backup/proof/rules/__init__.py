"""Pure rules of restore proofs: which backups, and what their scratch control plane consists of."""
